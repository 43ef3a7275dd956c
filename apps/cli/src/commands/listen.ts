import { createHmac, randomBytes } from 'node:crypto'
import type { ApiEvent, Lathe } from '@lathe/sdk'
import { UsageError } from '../exit-codes.ts'
import { writeLines } from '../write.ts'

export interface ListenFlags {
  readonly forwardTo: string
  readonly secret?: string
  readonly json?: boolean
}

const answerMs = 15_000

/** Posts the events of the account to a URL on this machine, signed like webhooks, to test a receiver. */
export async function listen(
  lathe: Lathe,
  { forwardTo, secret, json }: ListenFlags,
  signal: AbortSignal,
): Promise<void> {
  if (!URL.canParse(forwardTo))
    throw new UsageError(`${forwardTo} is not a URL. It looks like http://localhost:3000/hook`)
  const used = secret ?? `whsec_${randomBytes(24).toString('base64')}`
  process.stderr.write(`Events go to ${forwardTo}. The secret that signs them is ${used}\n`)
  for await (const event of lathe.events(signal)) {
    // Like webhooks, without progress events.
    if (event.type === 'task.progress') continue
    const answer = await forward(forwardTo, used, event)
    writeLines([
      json
        ? JSON.stringify({ id: event.id, type: event.type, answer })
        : `${event.createdAt}  ${event.type}  ${answer}`,
    ])
  }
}

async function forward(url: string, secret: string, event: ApiEvent): Promise<string> {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  return fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: AbortSignal.timeout(answerMs) }).then(
    ({ status }) => String(status),
    (error: Error) => `no answer (${error.message})`,
  )
}
