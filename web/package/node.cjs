// SPDX-License-Identifier: MIT
//
// luft-chess for require() in Node. The module itself is loaded by the first call.

Object.assign(exports, require("./node-rules.cjs"));

exports.startEngine = async (options) => (await import("./node.js")).startEngine(options);
