import { ApiError } from './api-error.ts'

export interface RequestOptions {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: FormData | Blob
  readonly signal: AbortSignal
  /** Reports the bytes sent and the total. */
  onProgress(sent: number, total: number): void
}

/** Sends a large body. Uses XMLHttpRequest, because fetch cannot report progress. */
export function request(options: RequestOptions): Promise<XMLHttpRequest> {
  const { method, path, headers = {}, body, signal, onProgress } = options
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    const stop = () => sending.abort()
    signal.addEventListener('abort', stop, { once: true })
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total))
    sending.addEventListener('loadend', () => {
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else if (sending.status >= 200 && sending.status < 300) resolve(sending)
      else reject(toError(sending))
    })
    sending.open(method, path)
    sending.setRequestHeader('accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value)
    sending.send(body)
  })
}

function toError(sent: XMLHttpRequest): ApiError {
  const after = Number(sent.getResponseHeader('retry-after') ?? Number.NaN)
  return new ApiError(sent.status, bodyOf(sent.responseText), Number.isFinite(after) ? after : undefined)
}

function bodyOf(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}
