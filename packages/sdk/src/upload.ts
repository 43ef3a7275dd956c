import { ConnectionError, RequestError } from './errors.ts'
import type { Task, UploadForm } from './generated/types.ts'
import { type OpenSource, openSource, type Source } from './source.ts'
import { pause, type Transport } from './transport.ts'
import type { UploadStore } from './upload-store.ts'

export interface UploadOptions {
  /** The name of the file, if the source has none or to override it. */
  readonly name?: string
  readonly signal?: AbortSignal
  /** Called with the number of sent bytes and the total. */
  readonly onProgress?: (sent: number, size: number) => void
  /**
   * Where unfinished uploads are remembered, so that a later upload of the same file to the same task goes on: such as
   * `localStorage`, to survive a reload of a page. By default, as long as the `Lathe` object exists.
   */
  readonly store?: UploadStore
}

// Sending a smaller file again is as fast as asking how much has arrived.
const largeBytes = 8 * 2 ** 20
const partBytes = 8 * 2 ** 20
const tus = { 'tus-resumable': '1.0.0' }
const tries = 8

/** Sends a file to the form of an upload task: at once, or in parts if it is large, so that it can be resumed. */
export async function sendToForm(
  transport: Transport,
  { result }: Task,
  from: Source,
  options: UploadOptions = {},
): Promise<void> {
  const source = await openSource(from, options.name)
  const { form } = result
  if (!form) throw new TypeError('The task has no form: it is not an import/upload task, or has ended.')
  if (source.size > largeBytes) return sendInParts(transport, form, source, options)
  const body = new FormData()
  for (const [name, value] of Object.entries(form.parameters)) body.append(name, value)
  body.append('file', await source.part(0, source.size), source.name)
  const signal = options.signal ? { signal: options.signal } : {}
  await transport
    .send(form.url, { method: 'POST', body, withoutKey: true, timeoutMs: 600_000, ...signal })
    .catch((error: unknown) => {
      // The file arrived the first time, and only the response was lost.
      if (!(error instanceof RequestError && error.errorCode === 'form_used')) throw error
    })
  options.onProgress?.(source.size, source.size)
}

async function sendInParts(
  transport: Transport,
  form: UploadForm,
  source: OpenSource,
  { signal, onProgress, store = transport.uploads }: UploadOptions,
): Promise<void> {
  const common = { withoutKey: true, ...(signal && { signal }) }
  // The same file for the same task. A stream cannot be read from its middle.
  const { name, size, version } = source
  const fingerprint = version === undefined ? undefined : `lathe-upload ${form.tusUrl} ${size} ${version} ${name}`
  const offsetAt = async (url: string) =>
    offsetOf(await transport.send(url, { ...common, method: 'HEAD', headers: tus }))

  async function start(): Promise<{ readonly url: string; readonly offset: number }> {
    const known = fingerprint === undefined ? null : await store.getItem(fingerprint)
    const offset = known === null ? undefined : await offsetAt(known).catch(unlessGone)
    if (known !== null && offset !== undefined) return { url: known, offset }
    const pairs = Object.entries({ ...form.parameters, filename: name })
    const metadata = pairs.map(([field, value]) => `${field} ${toBase64(value)}`).join(',')
    const about = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata }
    const started = await transport.send(form.tusUrl, { ...common, method: 'POST', headers: about })
    const url = started.headers.get('location') ?? ''
    if (fingerprint !== undefined) await store.setItem(fingerprint, url)
    return { url, offset: 0 }
  }

  const { url, ...started } = await start()
  let offset = started.offset
  if (offset > 0) onProgress?.(offset, size)
  for (let failures = 0; offset < size; ) {
    try {
      const headers = { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
      const body = await source.part(offset, Math.min(size, offset + partBytes))
      const call = { ...common, method: 'PATCH', headers, body, timeoutMs: 600_000, once: true } as const
      offset = offsetOf(await transport.send(url, call))
      failures = 0
    } catch (error) {
      failures += 1
      if (!mayPass(error) || failures > tries) throw error
      await pause(Math.min(10_000, 250 * 2 ** failures), signal)
      offset = await offsetAt(url)
    }
    onProgress?.(offset, size)
  }
  if (fingerprint !== undefined) await store.removeItem(fingerprint)
}

const offsetOf = ({ headers }: Response) => Number(headers.get('upload-offset'))

/** An upload that no longer exists is started again. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof RequestError && (error.status === 404 || error.status === 410))) throw error
}

function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof RequestError && (error.status >= 500 || [409, 423, 429].includes(error.status))
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
