import type { JsonObject } from '@lathe/sandbox'
import { pageDefaults, pagePatience } from './limits.ts'

export const socketName = 'proxy.sock'

/** What the browser is asked for: an address that passed the rules, and numbers. */
export function toCaptureRequest(url: string, payload: Readonly<Record<string, unknown>>): JsonObject {
  const { address, credentials } = apart(url)
  return {
    op: 'capture',
    url: address,
    ...(credentials && { credentials }),
    socket: socketName,
    output: 'page.mhtml',
    viewport: {
      width: numberOr(payload.viewport_width, pageDefaults.width),
      height: numberOr(payload.viewport_height, pageDefaults.height),
    },
    media: payload.media === 'print' ? 'print' : pageDefaults.media,
    waitMs: numberOr(payload.wait_ms, pageDefaults.waitMs),
    ...pagePatience,
  }
}

// Sent only to who asks for them, and kept out of the address, which stands in the page that is stored.
function apart(text: string): { address: string; credentials?: { username: string; password: string } } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const address = url.href
  if (username === '' && password === '') return { address }
  return { address, credentials: { username: decoded(username), password: decoded(password) } }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function numberOr(given: unknown, otherwise: number): number {
  return typeof given === 'number' && Number.isInteger(given) ? given : otherwise
}
