// SPDX-License-Identifier: MIT
//
// One more thread of the engine in Node.

import { parentPort } from "node:worker_threads";

import { serve } from "./crew.js";

parentPort.on("message", (message) => serve(message, () => parentPort.postMessage("ready")));
