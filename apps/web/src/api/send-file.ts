import type { UploadForm } from '@lathe/contract'
import { ownPath } from './own-path.ts'
import { request } from './request.ts'
import { sendInParts } from './send-in-parts.ts'

export interface SendOptions {
  readonly name: string
  readonly signal: AbortSignal
  /** The URL of an earlier upload of a large file. */
  readonly address: string | undefined
  /** Called with the URL of a new upload of a large file. */
  onStart(address: string): void
  onProgress(share: number): void
}

// Resending a smaller file is as quick as asking how much arrived.
const largeBytes = 8 * 2 ** 20

/** Sends a file to its form: a small one in one request, a large one resumable. */
export async function sendFile(form: UploadForm, file: Blob, options: SendOptions): Promise<void> {
  if (file.size > largeBytes) return sendInParts(form, file, options)
  const { name, signal, onProgress } = options
  const body = new FormData()
  for (const [key, value] of Object.entries(form.parameters)) body.append(key, value)
  body.append('file', file, name)
  const share = (sent: number, total: number) => onProgress(total > 0 ? sent / total : 0)
  await request({ method: 'POST', path: ownPath(form.url), body, signal, onProgress: share })
}
