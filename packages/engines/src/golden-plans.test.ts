import { describe, expect, it } from 'vitest'
import type { Ability, Plan } from './engine.ts'
import { engines } from './engines.ts'
import { advertised } from './registry.ts'
import { distinctValues } from './testing/option-values.ts'
import { requiredOf, walkPlans } from './testing/walk-plans.ts'

/** The steps of all plans as command lines. Files written before a step are named without their content. */
function linesOf(plans: readonly Plan[]): readonly string[] {
  const steps = plans.flatMap((plan) => plan.steps)
  return steps.map((step) => {
    const written = (step.writes ?? []).map(({ file }) => ` <${file}`).join('')
    if (step.kind === 'call') return `${step.runner} ${JSON.stringify(step.request)}${written}`
    return `${[step.program, ...step.args.map(quoted)].join(' ')}${written}`
  })
}

const quoted = (arg: string) => (/^[\w.,:=/+@%*-]+$/.test(arg) ? arg : JSON.stringify(arg))

/** The words that differ between two lines: first the added ones, then the removed ones. */
function difference(line: string, usual: string): string {
  const [now, before] = [wordsOf(line), wordsOf(usual)]
  const came = now.filter((word, n) => now.slice(0, n + 1).filter(same(word)).length > before.filter(same(word)).length)
  const went = before.filter(
    (word, n) => before.slice(0, n + 1).filter(same(word)).length > now.filter(same(word)).length,
  )
  return [came.map((word) => `+${word}`), went.map((word) => `-${word}`)].flat().join(' ')
}

const same = (word: string) => (other: string) => other === word
const wordsOf = (line: string) => line.split(/[ ,](?=["-]|\S)/)

/** The lines of a pair without options, then what each option changes. */
function renderPair(ability: Ability): string {
  const required = requiredOf(ability)
  const usual = linesOf(walkPlans(ability, required).plans)
  const changes = ability.options.flatMap((option) =>
    distinctValues(option).map((value) => {
      const { plans, failure } = walkPlans(ability, { ...required, [option.name]: value })
      const changed = linesOf(plans).flatMap((line, n) => {
        if (line === usual[n]) return []
        return usual[n]?.split(' ')[0] === line.split(' ')[0] ? [difference(line, usual[n] ?? '')] : [line]
      })
      const reported = failure ? [...changed, `fails as ${failure.code}`] : changed
      return [`  ${option.name}=${String(value)}`, ...reported.map((line) => `    ${line}`)].join('\n')
    }),
  )
  const { operation, from, to } = ability
  return [`${operation} ${from} → ${to}`, ...usual.map((line) => `  ${line}`), ...changes].join('\n')
}

/** One pair per set of options, so that each option is shown with the arguments of each engine. */
const typical = new Set(new Map(advertised.map((ability) => [ability.options, ability])).values())

describe('the arguments of every option', () => {
  it.each(engines.map(({ id, abilities }) => [id, abilities] as const))(
    'are those on record: %s',
    async (id, abilities) => {
      const place = engines.findIndex((engine) => engine.id === id)
      const earlier = engines.slice(0, place)
      const own = abilities.filter((ability) => !earlier.some((engine) => engine.abilities.includes(ability)))
      const pages = own.filter((ability) => typical.has(ability)).map(renderPair)
      await expect(`${pages.join('\n\n')}\n`).toMatchFileSnapshot(`testing/golden-plans/${id}.txt`)
    },
  )
})
