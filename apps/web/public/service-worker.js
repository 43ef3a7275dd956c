// Takes files that other apps share with the installed app, and hands them to the page. It answers nothing else: what the
// pages and the API answer is never kept here, and goes to the network as if there was no service worker.

// The page reads and deletes it: see src/installed/take-shared.ts.
const handover = 'lathe-shared'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.method !== 'POST' || pathname !== '/take-shared' || origin !== self.location.origin) return
  event.respondWith(take(event.request))
})

async function take(request) {
  try {
    const form = await request.formData()
    await caches.delete(handover)
    const cache = await caches.open(handover)
    const files = form.getAll('files').filter((one) => one instanceof File && (one.name !== '' || one.size > 0))
    for (const [n, file] of files.entries()) {
      const headers = {
        'content-type': file.type || 'application/octet-stream',
        'x-name': encodeURIComponent(file.name),
      }
      await cache.put(`/shared/${n}`, new Response(file, { headers }))
    }
    // Apps put an address into either of these.
    const text = `${form.get('url') ?? ''} ${form.get('text') ?? ''}`
    await cache.put('/shared/text', new Response(text))
  } catch {
    // The page opens without them: they are still where they were shared.
  }
  return Response.redirect('/?shared', 303)
}
