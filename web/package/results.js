// SPDX-License-Identifier: MIT
//
// Results of functions that parse text: the value, or { error }.

/** Is the result { error }? A game that was read up to a mistake is not a failure. */
export function isFailure(result) {
  return typeof result === "object" && result !== null && typeof result.error === "string" && Object.keys(result).length === 1;
}

/** The value of a result. Throws an Error with the reason of a failure. */
export function unwrap(result) {
  if (isFailure(result)) {
    throw new Error(result.error);
  }
  return result;
}
