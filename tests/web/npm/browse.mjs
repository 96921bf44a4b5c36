// SPDX-License-Identifier: MIT
//
// Opens a page in chromium and prints its title once that begins with "done".
//
//     node browse.mjs PATH-OF-CHROMIUM ADDRESS

import { chromium } from "playwright-core";

const [executablePath, address] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
page.on("console", (message) => console.error(message.text()));
page.on("pageerror", (error) => console.error(String(error)));
await page.goto(address);
await page.waitForFunction(() => document.title.startsWith("done"), null, { timeout: 60000 });
console.log(await page.title());
await browser.close();
