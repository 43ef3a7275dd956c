import type { UploadForm } from '@lathe/contract'
import { createTransport, sendToForm, type UploadOptions } from '@lathe/sdk'
import { createUploadFetch } from './upload-fetch.ts'

export interface SendOptions extends Pick<UploadOptions, 'store' | 'onInterrupted'> {
  readonly name: string
  readonly signal: AbortSignal
  onProgress?(share: number): void
}

// Slow connections may need long for a part; one that breaks is noticed.
const partTimeoutMs = 3_600_000

/** Sends a file to its form: a small one in one request, a large one in parts, so that it can be resumed. */
export async function sendFile(form: UploadForm, file: Blob, options: SendOptions): Promise<void> {
  const { onProgress, onInterrupted, ...rest } = options
  // What requests before the current one have sent.
  let before = 0
  const report = (sent: number) => onProgress?.(file.size > 0 ? Math.min(1, sent / file.size) : 0)
  const fetch = createUploadFetch((sent) => report(before + sent))
  await sendToForm(createTransport({ baseUrl: location.origin, fetch }), form, file, {
    ...rest,
    partTimeoutMs,
    onProgress(sent) {
      before = sent
      report(sent)
    },
    onInterrupted(error) {
      before = 0
      return onInterrupted?.(error)
    },
  })
}
