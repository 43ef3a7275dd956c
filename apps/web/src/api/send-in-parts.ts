import type { UploadForm } from '@lathe/contract'
import { toBase64 } from '../lib/to-base64.ts'
import { ApiError, toApiError } from './api-error.ts'
import { ownPath } from './own-path.ts'
import { request } from './request.ts'
import type { SendOptions } from './send-file.ts'

const partBytes = 16 * 2 ** 20
const tus = { 'tus-resumable': '1.0.0' }

/**
 * Sends a file in parts with the tus protocol. A broken upload resumes at its offset, even after a reload if `address`
 * is the value that `onStart` received.
 */
export async function sendInParts(form: UploadForm, file: Blob, options: SendOptions): Promise<void> {
  const { signal, onProgress } = options
  let address = options.address
  let offset = address === undefined ? undefined : await findOffset(address, signal)
  if (address === undefined || offset === undefined) {
    address = await start(form, file, options)
    offset = 0
    options.onStart(address)
  }
  while (offset < file.size) {
    const from: number = offset
    onProgress(from / file.size)
    const answer = await request({
      method: 'PATCH',
      path: address,
      headers: { ...tus, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
      body: file.slice(from, from + partBytes),
      signal,
      onProgress: (sent) => onProgress((from + sent) / file.size),
    })
    offset = Number(answer.getResponseHeader('upload-offset'))
  }
}

/** The offset of an upload; undefined if it is gone. */
async function findOffset(address: string, signal: AbortSignal): Promise<number | undefined> {
  const response = await ask(address, { method: 'HEAD', headers: tus, signal })
  if (response.status === 404) return undefined
  if (!response.ok) throw await toApiError(response)
  return Number(response.headers.get('upload-offset'))
}

async function start({ tusUrl, parameters }: UploadForm, file: Blob, { name, signal }: SendOptions): Promise<string> {
  const pairs = Object.entries({ ...parameters, filename: name }).map(([key, value]) => `${key} ${toBase64(value)}`)
  const headers = { ...tus, 'upload-length': String(file.size), 'upload-metadata': pairs.join(',') }
  const response = await ask(ownPath(tusUrl), { method: 'POST', headers, signal })
  if (!response.ok) throw await toApiError(response)
  return ownPath(response.headers.get('location') ?? '')
}

function ask(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, { ...init, credentials: 'omit', cache: 'no-store' }).catch((cause: unknown) => {
    init.signal?.throwIfAborted()
    throw new ApiError(0, { msg: cause instanceof Error ? cause.message : '' })
  })
}
