import { describe, expect, it } from 'vitest'
import type { Step } from './engine.ts'
import { familiesFor, familyOf, familyOfTool } from './engine-family.ts'
import { advertised, formatsOf, tools } from './registry.ts'
import { requiredOf, walkPlans } from './testing/walk-plans.ts'

/** The engines in the images of some families: the lists of the engine root (scripts/engine-root/packages.txt). */
const roots = [
  {
    families: ['image', 'av'],
    engines: ['vips', 'magick', 'archive', 'compare', 'ffmpeg', 'speech', 'assimp', 'dicom', 'metadata'],
  },
  {
    families: ['office', 'pdf', 'ocr'],
    engines: [
      'vips',
      'magick',
      'office',
      'pdf',
      'ghostscript',
      'ocr',
      'fonts',
      'data',
      'parquet',
      'maps',
      'compare',
      'metadata',
    ],
  },
  { families: ['browser'], engines: ['vips', 'browser', 'markup'] },
]
const allEngines = roots.flatMap(({ engines }) => engines)

const engineOf = (step: Step) => (step.kind === 'call' ? step.runner : step.profile)

describe('the family of a task', () => {
  it('is that of a worker that has every engine of its plan', () => {
    const missing = advertised.flatMap((ability) => {
      const variants = [{}, ...ability.options.flatMap(({ name }) => (name === 'ocr' ? [{ ocr: true }] : []))]
      return variants.flatMap((more) => {
        const options = { ...requiredOf(ability), ...more }
        const family = familyOf({ ...ability, options })
        const own = roots.find(({ families }) => family && families.includes(family))
        const engines = family === 'route' ? allEngines : (own?.engines ?? [])
        const needed = walkPlans(ability, options).plans.flatMap(({ steps }) => steps.map(engineOf))
        const lacking = [...new Set(needed)].filter((engine) => !engines.includes(engine))
        return lacking.length > 0
          ? [`${ability.operation} ${ability.from} → ${ability.to} (${family}): ${lacking}`]
          : []
      })
    })
    expect(missing).toEqual([])
  })

  it('is in the table of what its input may be', () => {
    const differing = advertised.filter(({ operation, from, to }) => {
      const table = familiesFor({ operation, to, options: {} })
      return formatsOf(from).some((format) => table[format] !== familyOf({ operation, from: format, to, options: {} }))
    })
    expect(differing).toEqual([])
    expect(familiesFor({ operation: 'convert', to: 'pdf', options: { ocr: true } }).jpg).toBe('ocr')
  })

  it('is known for every tool that a step can name', () => {
    expect(tools.map(({ name }) => name).sort()).toEqual([...new Set(allEngines)].sort())
    expect(familyOfTool('ocr')).toBe('ocr')
  })
})
