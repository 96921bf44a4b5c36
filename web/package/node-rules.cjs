// SPDX-License-Identifier: MIT
//
// luft-chess/rules for require() in Node. The module itself is loaded by the first call.

exports.loadRules = async (options) => (await import("./node-rules.js")).loadRules(options);

Object.assign(exports, require("./results.cjs")); // mk/wasm.mk makes it of results.js
