import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VideoStream } from './media.ts'
import { planShape } from './shape.ts'

const video: VideoStream = { index: 0, codec: 'h264', width: 640, height: 480, turns: 0, pixelAspect: 1, isDeep: false }
const none = { fit: 'inside', turns: 0 } as const
const even = { isEven: true, isSquare: false }

describe('planShape', () => {
  it('does nothing where nothing is asked', () => {
    expect(planShape(video, none, even)).toEqual({ width: 640, height: 480, filters: [] })
  })

  it.each([
    ['inside', { width: 320, height: 320 }, ['scale=320:240', 'setsar=1'], [320, 240]],
    ['cover', { width: 320, height: 320 }, ['scale=426:320', 'setsar=1', 'crop=320:320:53:0'], [320, 320]],
    ['fill', { width: 320, height: 320 }, ['scale=320:320', 'setsar=1'], [320, 320]],
    ['pad', { width: 320, height: 320 }, ['scale=320:240', 'setsar=1', 'pad=320:320:0:40'], [320, 320]],
    ['inside', { width: 320 }, ['scale=320:240', 'setsar=1'], [320, 240]],
    ['inside', { height: 100 }, ['scale=132:100', 'setsar=1'], [132, 100]],
  ] as const)('%s %j is %j', (fit, sizes, filters, [width, height]) => {
    expect(planShape(video, { ...none, fit, ...sizes }, even)).toEqual({ width, height, filters })
  })

  it('drops the odd row and column that encoders refuse', () => {
    const odd = { ...video, width: 641, height: 481 }
    expect(planShape(odd, none, even)).toEqual({ width: 640, height: 480, filters: ['crop=640:480:0:0'] })
    expect(planShape(odd, none, { isEven: false, isSquare: true }).filters).toEqual([])
  })

  it('sees a video as it is shown: turned, with square pixels', () => {
    const phone = { ...video, turns: 1 } as const
    expect(planShape(phone, { ...none, width: 240 }, even).filters).toEqual(['scale=240:320', 'setsar=1'])
    const dvd = { ...video, width: 720, height: 576, pixelAspect: 16 / 15 }
    expect(planShape(dvd, none, { isEven: false, isSquare: true }).filters).toEqual(['scale=768:576', 'setsar=1'])
    expect(planShape(dvd, none, even).filters).toEqual([])
  })

  it('takes the smallest size a codec knows that loses nothing', () => {
    const sizes = [
      [128, 96],
      [176, 144],
      [352, 288],
    ] as const
    const small = { ...video, width: 160, height: 120 }
    expect(planShape(small, none, { ...even, sizes })).toMatchObject({ width: 176, height: 144 })
    expect(planShape(video, none, { ...even, sizes })).toMatchObject({ width: 352, height: 288 })
  })

  it('gives even sides and numbers alone, whatever is asked', () => {
    const side = fc.integer({ min: 2, max: 8192 })
    const settings = fc.record(
      {
        width: side,
        height: side,
        fit: fc.constantFrom('inside', 'cover', 'fill', 'pad'),
        turns: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: ['fit', 'turns'] },
    )
    const source = fc.record({ width: fc.integer({ min: 1, max: 8192 }), height: fc.integer({ min: 1, max: 8192 }) })
    fc.assert(
      fc.property(settings, source, (asked, size) => {
        const shape = planShape({ ...video, ...size }, asked, even)
        expect(shape.width % 2 === 0 && shape.height % 2 === 0 && shape.width > 0 && shape.height > 0).toBe(true)
        for (const filter of shape.filters)
          expect(filter).toMatch(/^(transpose=c?clock|[hv]flip|(scale|crop|pad|setsar)=[\d:]+)$/)
      }),
    )
  })
})
