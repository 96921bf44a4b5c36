// SPDX-License-Identifier: MIT
// Caches the page for use offline. The build inserts the list of files and a hash of their contents as the version. A new
// version downloads all files and takes over when no page of the old version is open, so that a page never mixes versions.

// All folders of a host share its caches, and another folder may hold another Luft.
const OURS = `luft-${registration.scope}-`;
const VERSION = `${OURS}__VERSION__`;
const FILES = [/* FILES */];

addEventListener("install", (event) => {
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(files)));
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith(OURS) && name !== VERSION).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(
    caches.open(VERSION).then(async (cache) => (await cache.match(request, { ignoreSearch: true })) ?? fetch(request)),
  );
});
