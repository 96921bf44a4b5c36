// SPDX-License-Identifier: MIT
// Keeps the page for use without a network. The build writes the list of files and a version made of their contents;
// a new version is fetched whole, and takes over when no page of the old one is open any more: so a page never gets
// files of another version.

// Caches belong to the whole host; another folder of it may hold another Luft.
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
