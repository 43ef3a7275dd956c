import { taskBodies } from '@lathe/contract'
import { type Ability, engines, type OptionDescriptor } from '@lathe/engines'
import { needsSeveral, rolesOf } from '@lathe/operations'
import { neededOptions } from '../../samples/pair.ts'

/** An option and a request that may contain it. */
export interface OptionPlace {
  readonly descriptor: OptionDescriptor
  readonly ability: Ability
}

/** Every option of every ability, once each: pairs share their descriptors. */
export function everyOption(): readonly OptionPlace[] {
  const places = new Map<OptionDescriptor, OptionPlace>()
  for (const ability of engines.flatMap(({ abilities }) => abilities)) {
    for (const descriptor of ability.options) {
      if (!places.has(descriptor)) places.set(descriptor, { descriptor, ability })
    }
  }
  return [...places.values()]
}

/** The body of a request that sets one option. */
export function bodyOf({ descriptor, ability }: OptionPlace, value: unknown): Record<string, unknown> {
  const { operation, from, to } = ability
  return {
    input: needsSeveral(operation) ? [anyTask, otherTask] : anyTask,
    ...Object.fromEntries(Object.keys(rolesOf(operation)).map((role) => [role, otherTask])),
    ...('input_format' in taskBodies[operation].properties && { input_format: from }),
    ...('output_format' in taskBodies[operation].properties && { output_format: to }),
    options: { ...neededOptions(ability), [descriptor.name]: value },
  }
}

const anyTask = 'aaaaaaaaaaaaaaaaaaaaaaaa'
const otherTask = 'bbbbbbbbbbbbbbbbbbbbbbbb'
