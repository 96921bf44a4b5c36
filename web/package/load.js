// SPDX-License-Identifier: MIT
//
// From an address or bytes to a compiled module.

export async function compile(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source);
  }
  const response = await fetch(source);
  if (!response.ok) {
    throw new Error(`${response.url || source}: ${response.status} ${response.statusText}`);
  }
  // Compiled while it loads, where the server says that it is WebAssembly.
  if (response.headers.get("Content-Type")?.startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
