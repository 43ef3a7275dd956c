import { advertised } from '@lathe/engines'
import { describe, expect, it } from 'vitest'
import { sourceOfDerived } from './derive.ts'
import { makers } from './makers.ts'
import { noSample } from './no-sample.ts'
import { pairs } from './pair.ts'
import { planRoutes } from './plan-routes.ts'
import { seeds } from './seeds.ts'

describe('samples', () => {
  it('exist for every input format, or a reason is given', () => {
    const routes = planRoutes(advertised, [...Object.keys(seeds), ...Object.keys(makers)])
    const formats = new Set(pairs.map(({ from }) => from))
    const without = [...formats].filter((format) => !routes.has(format) && !makers[format] && !sourceOfDerived(format))
    expect(without.sort()).toEqual(Object.keys(noSample).sort())
  })
})
