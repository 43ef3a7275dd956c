import { type Attack, defaultAtOnce, namesCanary, type Variant } from './attack.ts'
import { eachAtOnce } from './each-at-once.ts'
import type { Outcome } from './judge-variant.ts'
import { areAlike, lookInside } from './look-inside.ts'
import type { Range } from './range.ts'
import { runVariant } from './run-variant.ts'

/**
 * Runs the inputs that produced images again without the canary: an engine that drew anything of it, as text or
 * otherwise, would now draw something else.
 */
export async function judgeTwins(
  range: Range,
  attack: Attack,
  outcomes: readonly Outcome[],
): Promise<readonly string[]> {
  const { atOnce = defaultAtOnce } = attack
  const { folder } = range.canaries
  const drawn = outcomes.filter(({ variant, pictures }) => pictures.length > 0 && namesCanary(attack, variant, folder))
  if (drawn.length === 0) return []
  await range.canaries.hide()
  try {
    const faults = await eachAtOnce(drawn, atOnce, async ({ variant, pictures }) => {
      const fault = await judgeTwin(range, variant, pictures)
      return fault === undefined ? [] : [`${variant.what}: ${fault}`]
    })
    return faults.flat()
  } finally {
    await range.canaries.show()
  }
}

async function judgeTwin(range: Range, variant: Variant, pictures: readonly Buffer[]): Promise<string | undefined> {
  const twin = await runVariant(range.api, variant)
  if (twin.kind !== 'ended') return 'was refused the second time'
  const seen = await Promise.all(twin.outputs.map((output) => lookInside(range.bench, output)))
  const again = seen.flatMap((one) => one.pictures)
  if (again.length !== pictures.length) return `gave ${pictures.length} pictures at first, then ${again.length}`
  const alike = await Promise.all(pictures.map((picture, n) => areAlike(picture, again[n] ?? Buffer.alloc(0))))
  return alike.every(Boolean) ? undefined : 'looks different where there is no canary'
}
