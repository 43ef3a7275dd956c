import { LatheError } from './errors.ts'
import type { ApiEvent } from './generated/types.ts'

/** A delivery that is not from the service, is too old, or was changed in transit. */
export class WebhookError extends LatheError {
  override readonly name = 'WebhookError'
}

interface HeaderReader {
  get(name: string): string | null
}

const windowS = 300

/**
 * Verifies a delivery and returns its event. `body` is the raw text. During a rotation of the secret, pass both: one of
 * them must have signed it.
 */
export async function unwrap(
  body: string,
  headers: HeaderReader | Readonly<Record<string, string | readonly string[] | undefined>>,
  secrets: string | readonly string[],
  now: Date = new Date(),
): Promise<ApiEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    'get' in headers && typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Record<string, string | undefined>)[name],
  )
  if (!id || !timestamp || !signatures) throw new WebhookError('A header of the signature is missing.')
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= windowS)) {
    throw new WebhookError('The delivery is older than 5 minutes, or comes from the future.')
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
  for (const secret of [secrets].flat()) {
    const raw = fromBase64(secret.replace(/^whsec_/, ''))
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const one of given) {
      if (await crypto.subtle.verify('HMAC', key, fromBase64(one), signed)) return JSON.parse(body) as ApiEvent
    }
  }
  throw new WebhookError('The signature does not match.')
}

/** The same as one object: `await webhooks.unwrap(body, headers, secret)`. */
export const webhooks = { unwrap }

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
