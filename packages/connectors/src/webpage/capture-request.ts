import { pageDefaults } from '@lathe/operations'
import type { JsonObject } from '@lathe/sandbox'
import type { Asked } from '../connector.ts'
import { pagePatience } from './limits.ts'

export const socketName = 'proxy.sock'

/** The window of a page, and how long to wait for the page. */
export type PageFields = Omit<Asked<'import/webpage'>, 'url' | 'filename'>

/** The request to the browser: a URL that passed the rules, and numbers. */
export function toCaptureRequest(url: string, fields: PageFields): JsonObject {
  const { address, credentials } = apart(url)
  return {
    op: 'capture',
    url: address,
    ...(credentials && { credentials }),
    socket: socketName,
    output: 'page.mhtml',
    viewport: {
      width: fields.viewport_width ?? pageDefaults.width,
      height: fields.viewport_height ?? pageDefaults.height,
    },
    media: fields.media ?? 'screen',
    waitMs: fields.wait_ms ?? pageDefaults.waitMs,
    ...pagePatience,
  }
}

// Credentials are sent only to a server that requests them, and removed from the URL, which the stored page contains.
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
