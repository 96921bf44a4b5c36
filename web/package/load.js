// SPDX-License-Identifier: MIT
//
// Compiles a module from an address or from bytes.

export async function compile(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source);
  }
  const response = await fetch(source);
  if (!response.ok) {
    throw new Error(`${response.url || source}: ${response.status} ${response.statusText}`);
  }
  // Streaming compiles during the download, but requires this content type.
  if (response.headers.get("Content-Type")?.startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
