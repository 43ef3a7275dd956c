import { pageDefaults } from '@lathe/operations'
import type { JsonObject } from '@lathe/sandbox'
import type { Asked } from '../connector.ts'
import { pagePatience } from './limits.ts'

export const socketName = 'proxy.sock'

/** Which window a page is shown in, and how long it is waited for. */
export type PageFields = Omit<Asked<'import/webpage'>, 'url' | 'filename'>

/** What the browser is asked for: an address that passed the rules, and numbers. */
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
