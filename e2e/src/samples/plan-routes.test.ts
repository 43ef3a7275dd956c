import type { Ability } from '@lathe/engines'
import { describe, expect, it } from 'vitest'
import { planRoutes } from './plan-routes.ts'

const convert = (from: string, to: string): Ability => ({ operation: 'convert', from, to, options: [] })

describe('the routes to samples', () => {
  it('begin at the seeds, which are made from nothing', () => {
    expect(planRoutes([convert('png', 'jpg')], ['jpg', 'png'])).toEqual(
      new Map([
        ['jpg', []],
        ['png', []],
      ]),
    )
  })

  it('go over as many conversions as it takes', () => {
    const routes = planRoutes([convert('b', 'c'), convert('a', 'b')], ['a'])
    expect(routes.get('b')).toEqual(['a'])
    expect(routes.get('c')).toEqual(['b'])
  })

  it('know every way from nearer to the seeds, and never a circle', () => {
    const routes = planRoutes([convert('a', 'x'), convert('b', 'x'), convert('x', 'y'), convert('y', 'x')], ['a', 'b'])
    expect(routes.get('x')).toEqual(['a', 'b'])
    expect(routes.get('y')).toEqual(['x'])
  })

  it('lead to nothing that only other operations give', () => {
    expect(planRoutes([{ ...convert('a', 'b'), operation: 'merge' }], ['a']).has('b')).toBe(false)
  })
})
