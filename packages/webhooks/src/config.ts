import { type Static, Type } from 'typebox'

/** Webhook settings, for the processes that accept webhooks and those that deliver to them. */
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
