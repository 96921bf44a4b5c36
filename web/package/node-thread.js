// SPDX-License-Identifier: MIT
//
// A thread of the pool in Node, started by the engine's thread.

import { parentPort } from "node:worker_threads";

import { runPoolThread } from "./pool.js";

parentPort.on("message", (message) => runPoolThread(message, () => parentPort.postMessage("ready")));
