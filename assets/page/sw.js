// Keeps the page for use without a connection. A newer page has another VERSION, and takes its place.

// Caches are of the host: other folders of it have their own.
const OWN = `carat-${registration.scope}-`;
const CACHE = OWN + VERSION;
const fresh = (files) => files.map((file) => new Request(file, { cache: 'reload' }));

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh(FILES))).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const old = caches.keys().then((all) => Promise.all(all.filter((name) => name.startsWith(OWN) && name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
  // Trained bots, while the page is open already.
  caches.open(CACHE).then((cache) => cache.addAll(fresh(LATER))).catch(() => {});
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(event.request)).then((kept) => kept ?? fetch(event.request)));
});
