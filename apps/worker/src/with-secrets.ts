import type { Fields, GivenOptions, Payload } from '@lathe/operations'
import type { Claim } from '@lathe/orchestrator'
import { type Sealer, Secret } from '@lathe/runtime'

type Sealed = Pick<Claim, 'task' | 'sealed'>

/** A task's payload with its sealed fields decrypted, as secrets that cannot be printed. Its options stay masked. */
export function withSecrets(sealer: Sealer, claim: Sealed): Fields<string | Secret> {
  const { options: _, ...fields } = open(sealer, claim)
  const secrets = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? new Secret(value) : value,
  ])
  return { ...claim.task.payload, ...Object.fromEntries(secrets) }
}

/** The options of a task in plain text, as its engine needs them. */
export function openOptions(sealer: Sealer, claim: Sealed): GivenOptions {
  return open(sealer, claim).options ?? claim.task.payload.options ?? {}
}

function open(sealer: Sealer, { task, sealed }: Sealed): Payload {
  // Sealed by the api, which checked it against the schema of its operation.
  return sealed ? (JSON.parse(sealer.open(sealed, task.id)) as Payload) : {}
}
