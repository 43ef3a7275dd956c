import { findAbility } from '@lathe/engines'
import { Check } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { RouteView } from '../schemas/query-views.ts'
import { indexPairRates } from './pair-rates.ts'
import { parseRouteQuery } from './parse-format-query.ts'
import { toRouteView } from './route-view.ts'

const none = indexPairRates([])
const ask = (from: string, to: string) => toRouteView(parseRouteQuery({ from, to }), none)

describe('the route query', () => {
  it('returns a direct conversion as one step', () => {
    const view = ask('JPEG', 'png')
    expect(view).toMatchObject({ from: 'jpg', to: 'png', direct: true })
    expect(view.steps).toEqual([{ from: 'jpg', to: 'png', engine: 'vips', expected_seconds: expect.any(Number) }])
    expect(view.fidelity).toBeUndefined()
    expect(Check(RouteView, view)).toBe(true)
  })

  it('returns the steps of a route, what they may lose and the expected time [D-http-78]', () => {
    const view = ask('doc', 'md')
    expect(view).toMatchObject({
      direct: false,
      steps: [
        { from: 'doc', engine: 'office' },
        { engine: 'pandoc', to: 'md' },
      ],
    })
    expect(view.steps.at(-1)?.loses).toContain('page layout')
    expect(view.fidelity).toBeGreaterThan(0.7)
    const sum = view.steps.reduce((total, step) => total + step.expected_seconds, 0)
    expect(view.expected_seconds).toBeCloseTo(sum, 1)
    expect(Check(RouteView, view)).toBe(true)
  })

  it('returns the median of this instance if it is known', () => {
    const row = { operation: 'convert', from: 'doc', to: 'md', completed: 40, failed: 0, medianMs: 870 }
    const ability = findAbility('convert', 'doc', 'md')
    if (!ability) throw new Error('doc cannot become md')
    expect(toRouteView(ability, indexPairRates([row])).expected_seconds).toBe(0.87)
  })

  it.each([
    [{}, 'from'],
    [{ from: 'doc' }, 'to'],
    [{ from: 'doc', to: '' }, 'to'],
    [{ from: 'mp3', to: 'docx' }, 'to'],
    [{ from: 'nothing', to: 'png' }, 'from'],
  ])('refuses %j and names the field %s', (query, field) => {
    expect(() => parseRouteQuery(query)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: field })] }),
    )
  })
})
