import { createChance } from '../../chance.ts'
import type { Attack, Variant } from './attack.ts'

/** `all` also uses limits up, which takes minutes each; `sample` takes a few variants of each attack. */
const selection = process.env.LATHE_ATTACKS ?? ''
const seed = Number(process.env.LATHE_ATTACKS_SEED ?? Date.now() % 2 ** 31)
const inSample = 6

/** The variants of an attack for this run. Prints the seed, so that the choice can be repeated. */
export function chooseVariants({ id }: Attack, variants: readonly Variant[]): readonly Variant[] {
  const quick = variants.filter(({ isSlow = false }) => !isSlow || selection === 'all')
  if (selection !== 'sample' || quick.length <= inSample) return quick
  console.log(`${id}: ${inSample} of ${quick.length} variants, LATHE_ATTACKS_SEED=${seed}`)
  return createChance(seed).some(quick, inSample)
}
