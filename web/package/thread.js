// SPDX-License-Identifier: MIT
//
// A thread of the pool in the browser, started by the engine's Worker.

import { runPoolThread } from "./pool.js";

self.onmessage = (event) => runPoolThread(event.data, () => self.postMessage("ready"));
