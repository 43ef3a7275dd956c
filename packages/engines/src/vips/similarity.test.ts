import { describe, expect, it } from 'vitest'

interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly channels: number
}

// A script of the runner, which has no types.
const script = new URL('./similarity.mjs', import.meta.url).href
const { similarity, colourShift } = (await import(script)) as Record<string, (one: Pixels, other: Pixels) => number>
if (!similarity || !colourShift) throw new Error('not exported')

function pixels(channels: number, value: (x: number, y: number, channel: number) => number, side = 64): Pixels {
  const data = Buffer.alloc(side * side * channels)
  for (let n = 0; n < data.length; n++) {
    const place = Math.floor(n / channels)
    data[n] = value(place % side, Math.floor(place / side), n % channels)
  }
  return { data, width: side, height: side, channels }
}

const checks = (x: number, y: number) => (((x >> 2) + (y >> 2)) % 2 ? 220 : 30)

describe('similarity', () => {
  it('of an image to itself is 1', () => {
    const image = pixels(3, checks)
    expect(similarity(image, image)).toBeCloseTo(1, 6)
  })

  it('hardly changes by a step of brightness', () => {
    expect(
      similarity(
        pixels(3, checks),
        pixels(3, (x, y) => checks(x, y) + 2),
      ),
    ).toBeGreaterThan(0.99)
  })

  it('is low for an image of which nothing but the mean is left', () => {
    expect(
      similarity(
        pixels(3, checks),
        pixels(3, () => 125),
      ),
    ).toBeLessThan(0.1)
  })

  it('notices lost transparency', () => {
    const opaque = pixels(4, (x, y, channel) => (channel === 3 ? 255 : checks(x, y)))
    const holed = pixels(4, (x, y, channel) => (channel === 3 ? checks(x, y) : checks(x, y)))
    expect(similarity(opaque, holed)).toBeLessThan(0.7)
  })

  it('does not see the colour of what is transparent', () => {
    const one = pixels(4, (_x, _y, channel) => (channel === 3 ? 0 : 10))
    const other = pixels(4, (_x, _y, channel) => (channel === 3 ? 0 : 200))
    expect(similarity(one, other)).toBeCloseTo(1, 6)
    expect(colourShift(one, other)).toBe(0)
  })

  it('of images of different sizes is 0', () => {
    expect(similarity(pixels(3, checks), pixels(3, checks, 32))).toBe(0)
  })
})

describe('colourShift', () => {
  it('notices a tint that leaves brightness as it was', () => {
    const grey = pixels(3, () => 128)
    const tinted = pixels(3, (_x, _y, channel) => [158, 128, 50][channel] ?? 0)
    expect(colourShift(grey, tinted)).toBeGreaterThan(20)
  })
})
