import { expect } from 'vitest'
import { type Attack, defaultAtOnce } from './attack.ts'
import { chooseVariants } from './choose-variants.ts'
import { eachAtOnce } from './each-at-once.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { judgeTwins } from './judge-twins.ts'
import { judgeVariant } from './judge-variant.ts'
import type { Range } from './range.ts'

/**
 * Runs every variant of an attack and asserts the same safe result for each: it ends in one terminal state in time and
 * with a stable code; no token in outputs, responses, logs or the database; no tripwire touched; nothing left behind;
 * the same worker serves the next ten ordinary conversions. Checks that are not about one variant run once for all of
 * them.
 */
export async function expectSafe(range: Range, attack: Attack): Promise<void> {
  const { atOnce = defaultAtOnce } = attack
  const variants = chooseVariants(attack, await attack.variants(range.bait, range.bench))
  expect(variants.length, 'an attack without a variant').toBeGreaterThan(0)
  const memoryBefore = range.worker.rss()
  const outcomes = await eachAtOnce(variants, atOnce, (variant) => judgeVariant(range, attack, variant))
  const faults = [...outcomes.flatMap((outcome) => outcome.faults), ...(await judgeTwins(range, attack, outcomes))]
  expect(faults, `${attack.id}\n${range.worker.tail(10)}`).toEqual([])
  await expectUnharmed(range, memoryBefore)
}
