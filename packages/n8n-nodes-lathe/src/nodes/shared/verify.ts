import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IWebhookFunctions } from 'n8n-workflow'
import type { ApiEvent } from '../generated/types.ts'

const windowS = 300

/** The event of a delivery, or undefined if it is not signed with the secret, too old, or was changed in transit. */
export function readDelivery(context: IWebhookFunctions, secret: string): ApiEvent | undefined {
  const headers = context.getHeaderData()
  const { rawBody } = context.getRequestObject()
  return isSigned(rawBody, headers, secret) ? (JSON.parse(rawBody.toString()) as ApiEvent) : undefined
}

/** Refuses a delivery with an invalid signature. */
export function refuse(context: IWebhookFunctions): { noWebhookResponse: true } {
  context.getResponseObject().status(401).json({ message: 'The signature does not match the secret of the webhook.' })
  return { noWebhookResponse: true }
}

/** Whether a body was signed with the secret (`whsec_…`) in the last five minutes. */
export function isSigned(
  body: Buffer,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
  nowMs: number = Date.now(),
): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`] ?? ''),
  )
  if (!id || !timestamp || !signatures) return false
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= windowS)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.startsWith('v1,') ? one.slice(3) : '', 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
