import { isFailure } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import type { CustomFetch } from 'openid-client'

// Metadata, keys and tokens are a few kilobytes.
const maxAnswerBytes = 1_000_000
const timeoutMs = 10_000

/** Sends requests to the provider, over connections that outbound has checked. Redirects are not followed. */
export function createProviderFetch(outbound: Pick<Outbound, 'request'>): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`a provider is asked by GET and POST, not ${method}`)
    const sent = body === undefined || body === null ? {} : { body: String(body) }
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await outbound.request(url, { method, headers, ...sent, maxSize: maxAnswerBytes, signal })
    if (isFailure(answer)) throw new Error(`the provider was not reached: ${answer.code} ${answer.detail ?? ''}`)
    const chunks: Uint8Array[] = []
    for await (const chunk of answer.body) chunks.push(chunk)
    // Responses with these statuses must not have a body.
    const text = answer.status === 204 || answer.status === 304 ? null : Buffer.concat(chunks)
    return new Response(text, { status: answer.status, headers: answer.headers })
  }
}
