import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { abilitiesOf } from '../abilities-of.ts'
import type { Ability, Engine, Plan, SourceFile } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { chainPlans, followedBy, type Leg } from './chain-plans.ts'
import { familyOfRoute, indexSteps, keyOfPair, type RouteStep } from './route.ts'

/** What a file is converted to first, by preference. */
const between = ['pdf', 'png']

/** Makes thumbnails in two steps of formats whose engines make none: of books, marked-up texts, mail, medical images. */
export function createThumbnailRoutes(engines: readonly Engine[]): Engine {
  const findConversion = indexSteps(engines)
  const own = engines.flatMap((engine) =>
    abilitiesOf(engine.abilities, 'thumbnail').map((ability): RouteStep => ({ engine, ability })),
  )
  const direct = new Set(own.map(({ ability }) => ability.from))
  const sources = new Set(engines.flatMap(({ abilities }) => abilitiesOf(abilities, 'convert')).map(({ from }) => from))

  const routes = [...sources].flatMap((from) => {
    const first = direct.has(from) ? undefined : between.map((to) => findConversion(from, to)).find(Boolean)
    if (!first) return []
    const seconds = own.filter(({ ability }) => ability.from === first.ability.to)
    return seconds.map((second): readonly [RouteStep, RouteStep] => [first, second])
  })
  const byPair = new Map(routes.map((steps) => [keyOfPair(steps[0].ability.from, steps[1].ability.to), steps]))
  const abilities = routes.map(
    ([first, second]): Ability => ({
      operation: 'thumbnail',
      from: first.ability.from,
      to: second.ability.to,
      options: optionsOf(first.ability, second.ability),
      family: familyOfRoute([first, second]),
    }),
  )

  return {
    id: 'thumbnail-routes',
    family: 'route',
    tools: [],
    cost: { startS: 3, perMiBS: 3 },
    abilities,

    plan(request) {
      const checked = checkOneSource(abilities, request)
      if (isFailure(checked)) return checked
      const { source, effective, warnings } = checked
      const steps = byPair.get(keyOfPair(source.format, request.to))
      if (!steps) throw new Error(`there is no thumbnail of ${source.format} as ${request.to}`)
      const { password, ...shown } = effective as GivenOptions
      const first: Leg = { step: steps[0], options: password === undefined ? {} : { password } }
      const second: Leg = { step: steps[1], options: shown }
      const isFirstPage = (shown.page ?? 1) === 1
      const plan = (isFirstPage && planFirstPage(first, second, source)) || chainPlans(source, [first, second])
      return isFailure(plan) ? plan : { ...plan, warnings: [...warnings, ...plan.warnings] }
    },
  }
}

/** The options of thumbnails, and the password of the file. */
function optionsOf(first: Ability, second: Ability): readonly OptionDescriptor[] {
  const isPassword = ({ name }: OptionDescriptor) => name === 'password'
  return [...second.options.filter((option) => !isPassword(option)), ...first.options.filter(isPassword)]
}

function planFirstPage({ step }: Leg, second: Leg, source: SourceFile): Plan | undefined {
  const plan = step.ability.to === 'pdf' ? step.engine.planFirstPage?.(source) : undefined
  return plan && followedBy(plan, source, [second])
}
