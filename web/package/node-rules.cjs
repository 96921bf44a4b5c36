// SPDX-License-Identifier: MIT
//
// luft-chess/rules for require() in Node. The module itself is loaded by the first call.

exports.loadRules = async (options) => (await import("./node-rules.js")).loadRules(options);

// As in results.js, which require() cannot load before Node 22.
exports.isFailure = (result) =>
  typeof result === "object" && result !== null && typeof result.error === "string" && Object.keys(result).length === 1;

exports.unwrap = (result) => {
  if (exports.isFailure(result)) {
    throw new Error(result.error);
  }
  return result;
};
