import { isFailure } from '@lathe/domain'
import type { Ability, Engine } from '../engine.ts'
import { readable } from '../pictures/abilities.ts'
import { readable as rareFormats } from '../pictures/decoders.ts'
import { toParams } from '../pictures/picture-call.ts'
import { checkOneSource } from '../plan-options.ts'
import { optionsFor, readFormats, readSimilarity } from './options.ts'
import { planOptimize } from './plan-optimize.ts'

const abilities = [...readable, ...rareFormats].map(
  (format) => ({ operation: 'optimize', from: format, to: format, options: optionsFor(format) }) satisfies Ability,
)

/** Optimizes images for the web: one call of the warm vips runner finds the smallest format that looks the same. */
export const optimize: Engine = {
  id: 'optimize',
  family: 'image',
  tools: [],
  cost: { startS: 3, perMiBS: 5 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective, warnings } = checked
    const formats = readFormats(effective.formats)
    const params = { ...toParams(checked), formats, similarity: readSimilarity(effective.similarity) }
    const plan = planOptimize({ source, formats, params })
    return isFailure(plan) ? plan : { ...plan, warnings: [...warnings, ...plan.warnings] }
  },
}
