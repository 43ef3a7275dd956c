import { ownFetch } from './own-fetch.ts'
import { ownPath } from './own-path.ts'

/** A `fetch` that reports how many bytes of a body were sent, which only XMLHttpRequest can. */
export function createUploadFetch(onSent: (bytes: number) => void): typeof fetch {
  return async (url, init = {}) => {
    const { body, signal } = init
    if (!(body instanceof Blob || body instanceof FormData)) return ownFetch(url, init)
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest()
      const stop = () => sending.abort()
      signal?.addEventListener('abort', stop, { once: true })
      sending.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
      sending.addEventListener('loadend', () => {
        signal?.removeEventListener('abort', stop)
        if (signal?.aborted) reject(signal.reason)
        else if (sending.status === 0) reject(new TypeError('The connection was lost.'))
        else resolve(toResponse(sending))
      })
      sending.open(init.method ?? 'POST', ownPath(String(url)))
      for (const [name, value] of new Headers(init.headers)) sending.setRequestHeader(name, value)
      sending.send(body)
    })
  }
}

function toResponse(sent: XMLHttpRequest): Response {
  const lines = sent.getAllResponseHeaders().trim().split(/\r\n/)
  const headers = lines.flatMap((line): [string, string][] => {
    const [, name, value] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    return name && value !== undefined ? [[name, value]] : []
  })
  // A response without content must not have a body, not even an empty one.
  return new Response(sent.responseText || null, { status: sent.status, headers })
}
