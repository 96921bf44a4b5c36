# SPDX-License-Identifier: MIT
"""Packs the package as a wheel and as a source distribution, with the standard library alone.

`make wheel` compiles the modules and runs this file to pack them. For pip it is also the build backend that pyproject.toml
names (PEP 517): `pip install bindings/python` calls build_wheel, which runs `make wheel`.

    python3 backend.py VERSION DIRECTORY MODULE...        the wheel of modules that are compiled for this kind of computer
    python3 backend.py --fat VERSION DIRECTORY MODULE...  the same for modules with variants for every CPU
    python3 backend.py --sdist VERSION DIRECTORY
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from typing import Any, Optional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def metadata(project: dict[str, Any], version: str) -> str:
    """The text of METADATA, from the project table of pyproject.toml."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
    ]
    return "\n".join(lines) + "\n"


# What every system with glibc has: the libraries of PEP 600 that the module may need.
SYSTEM_LIBRARIES = re.compile(r"lib(c|m|pthread|rt|dl)\.so\.\d+|ld-linux.*\.so\.\d+")


def platform_tag(modules: list[pathlib.Path], is_fat: bool) -> str:
    """The computers that can load the modules. manylinux promises that they run on every CPU of its kind and with
    every glibc from a version on: that of the newest symbol which they need. Any other modules fit this system alone.
    """
    local = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if not is_fat or not local.startswith("linux_"):
        return local
    text = subprocess.run(["readelf", "-dVW", *map(str, modules)], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    versions = [(int(major), int(minor)) for major, minor in re.findall(r"\bGLIBC_(\d+)\.(\d+)", text)]
    if not versions or not all(SYSTEM_LIBRARIES.fullmatch(name) for name in needed):
        return local
    major, minor = max(versions)
    return f"manylinux_{major}_{minor}_{local.removeprefix('linux_')}"


def read_project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    return project


def pack(modules: list[pathlib.Path], version: str, directory: pathlib.Path, is_fat: bool = False) -> pathlib.Path:
    """Writes the wheel. The same files give the same bytes: names are sorted, and times are fixed."""
    project = read_project()
    tag = f"cp311-abi3-{platform_tag(modules, is_fat)}"
    info = f"{project['name']}-{version}.dist-info"
    files = {f"luft/{path.name}": path.read_bytes() for path in (HERE / "luft").iterdir() if path.is_file()}
    files |= {f"luft/{path.name}": path.read_bytes() for path in modules}
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: luft\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = []
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    wheel = directory / f"{project['name']}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def build_wheel(
    wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    """What pip calls. It needs the checkout around this folder, a C compiler and make."""
    command = ["make", "--no-print-directory", "-C", str(ROOT), f"PYTHON={sys.executable}"]
    subprocess.run([*command, "wheel"], check=True)
    build = subprocess.run([*command, "-s", "print-BUILD"], check=True, capture_output=True, text=True).stdout.strip()
    wheel = max((ROOT / build).glob("luft-*.whl"), key=lambda path: path.stat().st_mtime)
    return pathlib.Path(shutil.copy(wheel, wheel_directory)).name


# What `make wheel` needs, of the whole repository.
SOURCES = ["Makefile", "LICENSE", "README.md", "CHANGELOG.md", "mk", "include", "src", "tools", "bindings/python", "scripts/setup"]
# Entries have no owner, and a fixed time.
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def source_names() -> list[str]:
    """The paths of SOURCES. In a checkout of git only what git tracks, because other files may lie there."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        command = ["git", "-C", str(ROOT), "ls-files", "-z", "--", *SOURCES]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
        return [name for name in listed if (ROOT / name).is_file()]
    paths = [path for name in SOURCES for path in [ROOT / name, *(ROOT / name).rglob("*")] if path.is_file()]
    names = [path.relative_to(ROOT) for path in paths]
    return [name.as_posix() for name in names if not {"__pycache__", "build"} & set(name.parts)]


def pack_sources(version: str, directory: pathlib.Path) -> pathlib.Path:
    """Writes the source distribution: the part of the repository that the package is made of, in its folders, and at the
    top a pyproject.toml that finds the backend there."""
    project = read_project()
    files = {name: ROOT / name for name in source_names()}
    contents = {name: (path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644) for name, path in files.items()}
    text = (HERE / "pyproject.toml").read_text()
    contents["pyproject.toml"] = (text.replace('backend-path = ["."]', 'backend-path = ["bindings/python"]').encode(), 0o644)
    contents["PKG-INFO"] = (metadata(project, version).encode(), 0o644)
    name = f"{project['name']}-{version}"
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, (data, mode) in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode, TIME
            archive.addfile(entry, io.BytesIO(data))
    sdist = directory / f"{name}.tar.gz"
    with sdist.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as compressed:
        compressed.write(raw.getvalue())
    return sdist


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    """What pip and other tools call."""
    command = ["make", "--no-print-directory", "-s", "-C", str(ROOT), "print-VERSION"]
    version = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return pack_sources(version, pathlib.Path(sdist_directory)).name


def main(arguments: list[str]) -> int:
    is_fat = arguments[:1] == ["--fat"]
    if arguments[:1] == ["--sdist"] and len(arguments) == 3:
        written = pack_sources(arguments[1], pathlib.Path(arguments[2]))
    elif arguments[:1] != ["--sdist"] and len(arguments) >= 3 + is_fat:
        version, directory, *modules = arguments[is_fat:]
        written = pack([pathlib.Path(module) for module in modules], version, pathlib.Path(directory), is_fat)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print(f"  READY  {written}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
