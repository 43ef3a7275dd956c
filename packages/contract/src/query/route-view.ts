import { type Ability, expectedSeconds, lossOf, routes } from '@lathe/engines'
import type { ConversionRoute } from '../schemas/query-views.ts'
import { describePair, type PairRates } from './pair-rates.ts'

const MiB = 1024 ** 2

/** The steps of a conversion, as the route query returns them. */
export function toRouteView({ from, to }: Ability, rates: PairRates): ConversionRoute {
  const route = routes.find(from, to)
  const pairs = route ? route.steps.map(({ ability }) => ability) : [{ from, to }]
  const steps = pairs.map((pair) => {
    const loses = lossOf(pair.from, pair.to)
    const { engine = '' } = describePair(rates, 'convert', pair)
    return { from: pair.from, to: pair.to, engine, ...(loses && { loses }), expected_seconds: secondsOf(pair) }
  })
  const measured = describePair(rates, 'convert', { from, to }).median_seconds
  const sum = steps.reduce((total, step) => total + step.expected_seconds, 0)
  return {
    from,
    to,
    direct: route === undefined,
    steps,
    expected_seconds: measured ?? round(sum),
    ...(route && { fidelity: route.fidelity }),
  }
}

function secondsOf({ from, to }: Pick<Ability, 'from' | 'to'>): number {
  return round(expectedSeconds({ operation: 'convert', sources: [{ format: from, size: MiB }], to, options: {} }))
}

const round = (seconds: number) => Math.round(seconds * 10) / 10
