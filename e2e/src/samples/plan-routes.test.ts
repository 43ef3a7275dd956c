import type { Ability } from '@lathe/engines'
import { describe, expect, it } from 'vitest'
import { planRoutes } from './plan-routes.ts'

const convert = (from: string, to: string): Ability => ({ operation: 'convert', from, to, options: [] })

describe('the routes to samples', () => {
  it('start at the seeds, which are generated', () => {
    expect(planRoutes([convert('png', 'jpg')], ['jpg', 'png'])).toEqual(
      new Map([
        ['jpg', []],
        ['png', []],
      ]),
    )
  })

  it('use as many conversions as needed', () => {
    const routes = planRoutes([convert('b', 'c'), convert('a', 'b')], ['a'])
    expect(routes.get('b')).toEqual(['a'])
    expect(routes.get('c')).toEqual(['b'])
  })

  it('include every conversion from formats closer to the seeds, and no cycle', () => {
    const routes = planRoutes([convert('a', 'x'), convert('b', 'x'), convert('x', 'y'), convert('y', 'x')], ['a', 'b'])
    expect(routes.get('x')).toEqual(['a', 'b'])
    expect(routes.get('y')).toEqual(['x'])
  })

  it('do not lead to formats that only other operations write', () => {
    expect(planRoutes([{ ...convert('a', 'b'), operation: 'merge' }], ['a']).has('b')).toBe(false)
  })
})
