#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the folder of a documentation site: every link and anchor leads somewhere, nothing is loaded from another host, and
the search index has the pages. Prints `ok - …` and `not ok - …`.

    tests/dist/check_site.py FOLDER
"""

import json
import pathlib
import re
import sys
import urllib.parse
from html.parser import HTMLParser

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if values.get("id"):
            self.anchors.add(values["id"])
        if tag == "a" and values.get("href") is not None:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "icon", "preconnect", "preload"):
            self.loads.append(values["href"])
        elif values.get("src") is not None:
            self.loads.append(values["src"])


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html")}
    failures = []

    def judge(name, faults):
        for fault in faults[:20]:
            print(f"# {fault}")
        print(f"{'not ok' if faults else 'ok'} - {name}", flush=True)
        failures.extend(faults)

    def is_elsewhere(target):
        return bool(re.match(r"[a-z][a-z0-9+.-]*:|//", target))

    def faults_of(path, target):
        name, _, anchor = target.partition("#")
        goal = (path.parent / urllib.parse.unquote(name)).resolve() if name else path
        if goal.is_dir():
            goal /= "index.html"
        if not goal.is_file():
            return [f"{path.relative_to(folder)}: {target} is not there"]
        if anchor and goal in pages and urllib.parse.unquote(anchor) not in pages[goal].anchors | {"__skip"}:
            return [f"{path.relative_to(folder)}: {target} has no such anchor"]
        return []

    inside = [(path, link) for path, page in pages.items() if path.name != "404.html" for link in page.links if not is_elsewhere(link)]
    judge(f"links: {len(inside)} in {len(pages)} pages", [fault for pair in inside for fault in faults_of(*pair)])
    loads = [(path, load) for path, page in pages.items() for load in page.loads]
    judge("nothing from other hosts", [f"{path.name}: {load}" for path, load in loads if is_elsewhere(load)])
    styles = [path for path in folder.rglob("*.css") if re.search(r"url\((?!data:)[\"']?(https?:)?//|@import", path.read_text())]
    judge("no style from other hosts", [str(path) for path in styles])
    judge("what pages load is there", [f for path, load in loads if path.name != "404.html" and not load.startswith("data:")
                                       for f in faults_of(path, load.partition("?")[0])])  # fmt: skip
    index = json.loads((folder / "search/search_index.json").read_text())
    places = {document["location"].partition("#")[0] for document in index["docs"]}
    names = {path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    judge("search knows every page of docs/", sorted(name for name in names - {"README.html"} if name not in places))
    declared = re.findall(r"^LUFT_API [^;(]*?(luft_\w+)\(", "".join(p.read_text() for p in (ROOT / "include/luft").glob("*.h")), re.M)
    text = " ".join(document["text"] + document["title"] for document in index["docs"] if document["location"].startswith("reference.html"))
    judge(f"search finds {len(declared)} functions of the reference", [name for name in declared if name not in text])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
