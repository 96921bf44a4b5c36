// SPDX-License-Identifier: MIT
// Starts the page.

import { loadRules } from "../../package/index.js";
import { notice } from "./dom.js";
import { Page } from "./page.js";
import { Session } from "./state/session.js";

async function start(): Promise<void> {
  await new Page(new Session(await loadRules())).start();
}

start().catch((error: unknown) => notice(`Cannot start Luft: ${error instanceof Error ? error.message : String(error)}`, 0));

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  addEventListener("load", () => void navigator.serviceWorker.register("./sw.js").catch(() => {}));
}
