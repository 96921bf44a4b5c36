// SPDX-License-Identifier: MIT
// Makes docs/internals.md a page beside the board, so that the Inside tab can link to its chapters, offline too. Links to
// files of the repository become plain text.

import { readFileSync } from "node:fs";
import { Marked } from "marked";

/** The anchor of a heading, as GitHub makes it. */
export function anchor(heading: string): string {
  return heading.toLowerCase().replace(/<[^>]*>/g, "").replace(/[^\p{L}\p{N} -]/gu, "").replace(/ /g, "-");
}

export function internalsPage(path: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return /^(https?:|#)/.test(href) ? `<a href="${href}">${text}</a>` : text;
      },
    },
  });
  const body = marked.parse(readFileSync(path, "utf8"), { async: false });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'" />
    <meta name="color-scheme" content="light dark" />
    <title>How Luft works inside</title>
    <link rel="icon" href="./icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="./internals.css" />
  </head>
  <body>
    <main>
${body}
    </main>
  </body>
</html>
`;
}
