import { Webhook } from 'standardwebhooks'

/** The signed parts of a delivery. */
export interface Signable {
  readonly id: string
  readonly at: Date
  readonly body: string
}

/**
 * The headers of Standard Webhooks, with one signature per secret, so that receivers can switch to a new secret in
 * time.
 */
export function signedHeaders({ id, at, body }: Signable, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
