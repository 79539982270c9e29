// Keeps the page for use without a connection. A newer page has another VERSION, and takes its place.

const CACHE = `carat-${VERSION}`;

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const old = caches.keys().then((all) => Promise.all(all.filter((name) => name.startsWith('carat-') && name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
  // Trained bots, while the page is open already.
  caches.open(CACHE).then((cache) => cache.addAll(LATER)).catch(() => {});
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(event.request)).then((kept) => kept ?? fetch(event.request)));
});
