import { type Static, Type } from 'typebox'

/** What is read about webhooks, by whoever takes them and whoever delivers to them. */
export const webhookEnv = Type.Object({
  WEBHOOKS_ALLOW_HTTP: Type.Boolean({
    default: false,
    description: 'Allow webhooks with http URLs. For development only',
  }),
})

export interface WebhookConfig {
  readonly allowHttp: boolean
}

export function webhookConfig(env: Static<typeof webhookEnv>): WebhookConfig {
  return { allowHttp: env.WEBHOOKS_ALLOW_HTTP }
}
