import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { takesTogether } from '@lathe/operations'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkOptions } from './check-options.ts'
import type { Ability } from './engine.ts'
import { freeTextOptions, type OptionDescriptor, secretOptions } from './option-descriptor.ts'
import { advertised, findAbility } from './registry.ts'
import { arbitraryOptions, distinctValues, injections, secret } from './testing/option-values.ts'
import { processesOf, renderWalk, requiredOf, walkPlans } from './testing/walk-plans.ts'

const nameOf = ({ operation, from, to }: Ability) => `${operation} ${from} → ${to}`

/** One pair per set of options: pairs that share their descriptors differ only in formats. */
const typical = [...new Map(advertised.map((ability) => [ability.options, ability])).values()]

const descriptors = [...new Set(advertised.flatMap(({ options }) => options))]

// One pattern per rule, but one expectation for all words, because there are millions of them.
const strange = [/[^\x20-\x7e]/, new RegExp(secret), /secret name/, /(^|[=:])\/(?!job\/?)/]

function strangeWords({ program, args }: { program: string; args: readonly string[] }): readonly string[] {
  const words = args.filter((arg) => strange.some((pattern) => pattern.test(arg)))
  return /^[a-z0-9_-]+$/.test(program) ? words : [program, ...words]
}

describe('every pair, with any valid options', () => {
  it.each(typical.map((ability) => [nameOf(ability), ability] as const))(
    '%s is planned, without user input in the arguments',
    (_, ability) => {
      fc.assert(
        fc.property(arbitraryOptions(ability.options), (options) => {
          if (checkOptions(ability.options, options).errors.length > 0) return
          const walk = walkPlans(ability, options)
          // Valid values may contradict the test file, which has 3 pages and 10 seconds. The plan must then fail with a
          // reason.
          if (walk.failure) expect(['unsupported', 'limit_exceeded']).toContain(walk.failure.code)
          expect(processesOf(walk).flatMap(strangeWords).join('\n')).toBe('')
          expect(renderWalk(walkPlans(ability, options)).join('\n')).toBe(renderWalk(walk).join('\n'))
        }),
        { numRuns: 30 },
      )
    },
  )

  it('does without options', () => {
    const failing = advertised.filter((ability) => walkPlans(ability, requiredOf(ability)).failure !== undefined)
    expect(failing.map(nameOf)).toEqual([])
  })
})

describe('every option', () => {
  it('changes the plan', () => {
    const idle = typical.flatMap((ability) =>
      ability.options
        // A list with one value exists so that more can be added later.
        .filter(({ enum_values }) => enum_values?.length !== 1)
        .filter((option) => !kindOf(ability).some((one) => hasEffect(one, option)))
        .map(({ name }) => `${nameOf(ability)}: ${name}`),
    )
    expect(idle).toEqual([])
  })

  it('that accepts text refuses injections', () => {
    const isFree = (name: string) => secretOptions.includes(name) || freeTextOptions.includes(name)
    const open = descriptors.filter(({ type, name }) => type === 'string' && !isFree(name))
    const passed = open.flatMap((option) =>
      injections.filter((text) => checkOptions([option], { [option.name]: text }).errors.length === 0),
    )
    expect(passed).toEqual([])
  })

  it('that accepts any text passes it as one line of a file, never as an argument [A11]', () => {
    const words = injections.filter((text) => !/\p{Cc}/u.test(text))
    const isFree = ({ name }: OptionDescriptor) => freeTextOptions.includes(name)
    for (const ability of typical.filter(({ options }) => options.some(isFree))) {
      for (const text of words) {
        const given = ability.options.filter(isFree).map(({ name }) => [name, `${text} traitor`] as const)
        const { plans } = walkPlans(ability, Object.fromEntries(given))
        const steps = plans.flatMap((plan) => plan.steps)
        const seen = steps.map((step) => (step.kind === 'call' ? step.request : step.args))
        expect(JSON.stringify(seen), nameOf(ability)).not.toContain('traitor')
        const lines = steps.flatMap(({ writes = [] }) => writes.flatMap((file) => file.text.split('\n')))
        const own = lines.filter((line) => line.includes('traitor'))
        expect(own.length, nameOf(ability)).toBeGreaterThanOrEqual(given.length === 1 ? 1 : 4)
        // If there are several options, each line must name its option.
        if (given.length > 1) expect(own.filter((line) => !/^-?[\w:-]+=/.test(line))).toEqual([])
      }
    }
  })

  it('has a description, and a valid default', () => {
    for (const option of descriptors) {
      expect(option.hint).toMatch(/\.$/)
      expect(option.label ?? '').not.toBe('')
      if (option.default_value === '') continue
      const { errors } = checkOptions([{ ...option, conditions: [] }], { [option.name]: option.default_value })
      expect(errors).toEqual([])
    }
  })

  it('that another one names in a condition exists, with that value', () => {
    for (const { options, ...ability } of advertised) {
      const byName = new Map(options.map((option) => [option.name, option]))
      for (const { name, meta } of options.flatMap(({ conditions }) => conditions)) {
        const other = byName.get(name)
        expect(other, `${nameOf({ ...ability, options })}: ${name}`).toBeDefined()
        if (other)
          for (const { value } of meta)
            expect(checkOptions([{ ...other, conditions: [] }], { [name]: value }).errors).toEqual([])
      }
    }
  })
})

// A merge accepts the options of all its files: a password matters to a PDF, not to an image merged with it.
function kindOf(ability: Ability): readonly Ability[] {
  if (!takesTogether(ability.operation)) return [ability]
  return advertised.filter(({ operation, to }) => operation === ability.operation && to === ability.to)
}

/** Whether any value of an option changes the plan, together with the options it needs. */
function hasEffect(ability: Ability, option: OptionDescriptor): boolean {
  const beside = { ...besideOf(ability), ...Object.assign({}, ...option.conditions.map(conditionMet)) }
  return distinctValues(option).some((value) => {
    const rest = { ...beside }
    delete rest[option.name]
    const [without, withIt] = [walkPlans(ability, rest), walkPlans(ability, { ...rest, [option.name]: value })]
    return JSON.stringify(renderWalk(without)) !== JSON.stringify(renderWalk(withIt))
  })
}

// `fit` only has an effect if both width and height are given.
function besideOf(ability: Ability): GivenOptions {
  const required = requiredOf(ability)
  const names = new Set(ability.options.map(({ name }) => name))
  return names.has('fit') && names.has('width') ? { width: 64, height: 64, ...required } : required
}

function conditionMet({ name, meta }: OptionDescriptor['conditions'][number]): GivenOptions {
  return { [name]: meta[0]?.value ?? '' }
}

describe('what is advertised', () => {
  it('is found by the name it is listed under', () => {
    for (const ability of advertised) {
      expect(findAbility(ability.operation, ability.from, ability.to)).toBe(ability)
      expect(isFailure(ability)).toBe(false)
    }
  })
})
