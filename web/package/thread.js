// SPDX-License-Identifier: MIT
//
// One more thread of the engine, as a Worker of its Worker.

import { serve } from "./crew.js";

self.onmessage = (event) => serve(event.data, () => self.postMessage("ready"));
