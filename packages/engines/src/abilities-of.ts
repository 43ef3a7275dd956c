import type { ProcessingOperation } from '@lathe/operations'
import type { Ability } from './engine.ts'

/** The abilities that belong to an operation. */
export function abilitiesOf<One extends Pick<Ability, 'operation'>>(
  abilities: readonly One[],
  operation: ProcessingOperation,
): readonly One[] {
  return abilities.filter((ability) => ability.operation === operation)
}
