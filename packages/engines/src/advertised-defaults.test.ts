import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { checkOptions } from './check-options.ts'
import type { Ability } from './engine.ts'
import { engines } from './engines.ts'
import type { OptionDescriptor } from './option-descriptor.ts'
import { advertised } from './registry.ts'
import { renderWalk, requiredOf, walkPlans } from './testing/walk-plans.ts'

/** Every advertised default whose plan differs from the plan without the option, C1. */
const differences = advertised.flatMap((ability) => ability.options.flatMap((option) => differencesOf(ability, option)))

describe('an advertised default', () => {
  it('plans the same as leaving the option out', () => {
    expect([...new Set(differences.map(({ key, pair }) => `${key}: ${pair}`))]).toEqual([])
  })
})

interface Difference {
  readonly key: string
  readonly pair: string
}

// Tests the option alone and with the options that its conditions need, because alone it may have no effect.
function differencesOf(ability: Ability, option: OptionDescriptor): readonly Difference[] {
  if (option.default_value === '') return []
  const met = Object.fromEntries(option.conditions.map(({ name, meta }) => [name, meta[0]?.value ?? '']))
  const settings = [requiredOf(ability), { ...requiredOf(ability), ...met }]
  const differs = settings.some((beside) => isDifferent(ability, { option, beside }))
  return differs ? [{ key: `${engineOf(ability)} ${option.name}`, pair: pairOf(ability) }] : []
}

function isDifferent(
  ability: Ability,
  { option, beside }: { option: OptionDescriptor; beside: GivenOptions },
): boolean {
  const { [option.name]: _, ...without } = beside
  const withDefault = { ...without, [option.name]: option.default_value }
  // A default that contradicts another option is refused with its own error.
  if (checkOptions(ability.options, withDefault).errors.length > 0) return false
  const [left, given] = [walkPlans(ability, without), walkPlans(ability, withDefault)]
  return JSON.stringify(renderWalk(left)) !== JSON.stringify(renderWalk(given))
}

function engineOf(ability: Ability): string {
  return engines.find(({ abilities }) => abilities.includes(ability))?.id ?? ''
}

function pairOf({ operation, from, to }: Ability): string {
  return `${operation} ${from} → ${to}`
}
