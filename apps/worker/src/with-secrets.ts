import type { Claim } from '@lathe/orchestrator'
import { type Sealer, Secret } from '@lathe/runtime'

type Payload = Readonly<Record<string, unknown>>

/** A task's payload with what it hides put back, as secrets. */
export function withSecrets(sealer: Sealer, { task, sealed }: Pick<Claim, 'task' | 'sealed'>): Payload {
  if (!sealed) return task.payload
  return { ...task.payload, ...hidden(JSON.parse(sealer.open(sealed, task.id)), task.payload) }
}

// Options are sealed as a whole when one of them is a secret; only that one is hidden again.
function hidden(opened: Payload, shown: Payload): Payload {
  return map(opened, (name, value) => {
    if (typeof value === 'string') return value === shown[name] ? value : new Secret(value)
    return isPayload(value) ? hidden(value, isPayload(shown[name]) ? shown[name] : {}) : value
  })
}

/** Options as an engine takes them: it is the one that needs the secrets among them. */
export function revealOptions(options: unknown): Record<string, unknown> {
  return isPayload(options) ? map(options, (_, value) => (value instanceof Secret ? value.reveal() : value)) : {}
}

function map(fields: Payload, change: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)]))
}

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
