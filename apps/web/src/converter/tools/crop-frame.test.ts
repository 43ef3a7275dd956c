import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitFrame, moveFrame, stretchFrame } from './crop-frame.ts'

const size = { width: 400, height: 300 }
const frame = { x: 100, y: 100, width: 50, height: 50 }

describe('the frame of a crop', () => {
  it('moves as far as the edges', () => {
    expect(moveFrame(frame, 10, -20, size)).toEqual({ ...frame, x: 110, y: 80 })
    expect(moveFrame(frame, 1000, 1000, size)).toEqual({ ...frame, x: 350, y: 250 })
  })

  it('is stretched at a corner, the opposite one stays', () => {
    expect(stretchFrame(frame, { isLeft: true, isTop: true }, -10, 20, size)).toEqual({
      x: 90,
      y: 120,
      width: 60,
      height: 30,
    })
    expect(stretchFrame(frame, { isLeft: false, isTop: false }, 999, -999, size)).toEqual({
      ...frame,
      width: 300,
      height: 1,
    })
  })

  it('always lies in the image', () => {
    const any = fc.double({ min: -1000, max: 1000, noNaN: true })
    fc.assert(
      fc.property(any, any, any, any, fc.boolean(), fc.boolean(), (x, y, width, height, isLeft, isTop) => {
        const fitted = fitFrame({ x, y, width, height }, size)
        for (const made of [
          fitted,
          moveFrame(fitted, y, x, size),
          stretchFrame(fitted, { isLeft, isTop }, width, y, size),
        ]) {
          expect(made.x >= 0 && made.y >= 0 && made.width >= 1 && made.height >= 1).toBe(true)
          expect(made.x + made.width <= size.width && made.y + made.height <= size.height).toBe(true)
          expect(Object.values(made).every(Number.isInteger)).toBe(true)
        }
      }),
    )
  })
})
