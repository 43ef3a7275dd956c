import { addAddress, addFiles } from '../converter/adding.ts'

// The service worker fills it: see public/service-worker.js.
const handover = 'lathe-shared'

/** Adds files, or a URL, that another app has shared to the list. Nothing is sent before the user starts it. */
export async function takeShared(): Promise<void> {
  history.replaceState(history.state, '', '/')
  if (!(await caches.has(handover))) return
  const cache = await caches.open(handover)
  const shared = await Promise.all((await cache.keys()).map(async (request) => readShared(await cache.match(request))))
  await caches.delete(handover)
  const files = shared.flatMap((one) => (one instanceof File ? [one] : []))
  const text = shared.find((one) => typeof one === 'string')
  if (files.length > 0) return addFiles(files.map((file) => ({ file, folder: '' })))
  const address = text && findAddress(text)
  if (address) addAddress(address, 'later')
}

async function readShared(response: Response | undefined): Promise<File | string | undefined> {
  const name = response?.headers.get('x-name')
  if (!response || name === undefined) return undefined
  if (name === null) return response.text()
  const type = response.headers.get('content-type') ?? ''
  return new File([await response.blob()], decodeURIComponent(name), { type })
}

/** The first URL in a text: apps share it with words around it. */
export function findAddress(text: string): string | undefined {
  const found = /https?:\/\/[^\s<>"]+/i.exec(text)?.[0]
  return found !== undefined && URL.canParse(found) ? found : undefined
}
