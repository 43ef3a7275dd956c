import { isOutage, RequestError } from './errors.ts'
import type { Task, UploadForm } from './generated/types.ts'
import { type OpenSource, openSource, type Source } from './source.ts'
import { createRetries, longestWaitMs, pause, type Transport } from './transport.ts'
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
  /** How long a request with a part of the file may take, in milliseconds; 10 minutes by default. */
  readonly partTimeoutMs?: number
  /** Called when an upload is interrupted. The next attempt waits for it, such as until a browser is online again. */
  readonly onInterrupted?: (error: unknown) => void | Promise<void>
}

// Sending a smaller file again is as fast as asking how much has arrived.
const largeBytes = 8 * 2 ** 20
const partBytes = 8 * 2 ** 20
const tus = { 'tus-resumable': '1.0.0' }
const tries = 8
const usualPartTimeoutMs = 600_000

/** The form of an upload task. */
export function formOf({ result }: Task): UploadForm {
  if (!result.form) throw new TypeError('The task has no form: it is not an import/upload task, or has ended.')
  return result.form
}

/** Sends a file to the form of an upload task: at once, or in parts if it is large, so that it can be resumed. */
export async function sendToForm(
  transport: Transport,
  form: UploadForm,
  from: Source,
  options: UploadOptions = {},
): Promise<void> {
  const source = await openSource(from, options.name)
  const send = source.size > largeBytes ? sendInParts : sendAtOnce
  await send(transport, form, source, options)
}

async function sendAtOnce(
  transport: Transport,
  form: UploadForm,
  source: OpenSource,
  options: UploadOptions,
): Promise<void> {
  const { signal, onProgress, partTimeoutMs: timeoutMs = usualPartTimeoutMs } = options
  const body = new FormData()
  for (const [name, value] of Object.entries(form.parameters)) body.append(name, value)
  body.append('file', await source.part(0, source.size), source.name)
  const call = { method: 'POST', body, withoutKey: true, once: true, timeoutMs, ...(signal && { signal }) } as const
  await persist(transport, options, () => transport.send(form.url, call)).catch((error: unknown) => {
    // The file arrived the first time, and only the response was lost.
    if (!isUsed(error)) throw error
  })
  onProgress?.(source.size, source.size)
}

async function sendInParts(
  transport: Transport,
  form: UploadForm,
  source: OpenSource,
  options: UploadOptions,
): Promise<void> {
  const { signal, onProgress, store = transport.uploads, partTimeoutMs: timeoutMs = usualPartTimeoutMs } = options
  const common = { withoutKey: true, once: true, ...(signal && { signal }) }
  // The same file for the same task. A stream cannot be read from its middle.
  const { name, size, version } = source
  const fingerprint = version === undefined ? undefined : `lathe-upload ${form.tusUrl} ${size} ${version} ${name}`
  let url = fingerprint === undefined ? null : await store.getItem(fingerprint)
  let offset: number | undefined
  // Whether the response to the last part was lost, so that the whole file may have arrived.
  let mayBeComplete = false

  /** How much has arrived. Starts the upload if there is none. */
  async function findOffset(): Promise<number> {
    const known =
      url === null
        ? undefined
        : await transport.send(url, { ...common, method: 'HEAD', headers: tus }).catch(unlessGone)
    if (known) return offsetOf(known)
    const pairs = Object.entries({ ...form.parameters, filename: name })
    const metadata = pairs.map(([field, value]) => `${field} ${toBase64(value)}`).join(',')
    const about = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata }
    const started = await transport.send(form.tusUrl, { ...common, method: 'POST', headers: about })
    url = started.headers.get('location') ?? ''
    if (fingerprint !== undefined) await store.setItem(fingerprint, url)
    return 0
  }

  async function sendPart(): Promise<number> {
    const from = offset ?? (await findOffset())
    if (offset === undefined && from > 0) onProgress?.(from, size)
    if (from >= size) return from
    const headers = { ...tus, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' }
    const to = Math.min(size, from + partBytes)
    const body = await source.part(from, to)
    // If its response is lost, only the service knows how much has arrived.
    offset = undefined
    const call = { ...common, method: 'PATCH', headers, body, timeoutMs } as const
    const sent = await transport.send(url ?? '', call).catch((error: unknown) => {
      mayBeComplete ||= to === size && !isUsed(error)
      throw error
    })
    offset = offsetOf(sent)
    onProgress?.(offset, size)
    return offset
  }

  try {
    while ((await persist(transport, options, sendPart)) < size);
  } catch (error) {
    if (!mayBeComplete || !isUsed(error)) throw error
  }
  if (fingerprint !== undefined) await store.removeItem(fingerprint)
}

/** Repeats an attempt as long as it may succeed. */
async function persist<T>(
  { outageMs }: Transport,
  { signal, onInterrupted }: UploadOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const pauseFor = createRetries({ times: tries, waitMs: longestWaitMs, outageMs, isTemporary: mayUploadLater })
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      const pauseMs = pauseFor(error)
      await onInterrupted?.(error)
      await pause(pauseMs, signal)
    }
  }
}

/** Whether the form has taken a file. */
const isUsed = (error: unknown) => error instanceof RequestError && error.errorCode === 'form_used'

const offsetOf = ({ headers }: Response) => Number(headers.get('upload-offset'))

/** An upload that no longer exists is started again. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof RequestError && (error.status === 404 || error.status === 410))) throw error
}

/** Whether the same upload may succeed later. */
export function mayUploadLater(error: unknown): boolean {
  if (isOutage(error)) return true
  return error instanceof RequestError && (error.status >= 500 || [408, 409, 423, 429].includes(error.status))
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
