import type { Claim } from '@lathe/orchestrator'
import type { Sealer } from '@lathe/runtime'

/** A task's payload with what it hides put back. It must not be logged. */
export function withSecrets(sealer: Sealer, { task, sealed }: Claim): Record<string, unknown> {
  return sealed ? { ...task.payload, ...JSON.parse(sealer.open(sealed, task.id)) } : task.payload
}
