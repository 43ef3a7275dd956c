import { describe, expect, it } from 'vitest'

interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly channels: number
}

// A script of the runner, which has no types.
const script = new URL('./likeness.mjs', import.meta.url).href
const { createComparison } = (await import(script)) as {
  createComparison(one: Pixels): (other: Pixels) => number
}

type Shape = Pick<Pixels, 'width' | 'height'> & { readonly channels?: number }

type Colour = readonly number[]

/** An image whose pixels are a function of their position. */
function draw({ width, height, channels = 3 }: Shape, colourAt: (x: number, y: number) => Colour): Pixels {
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt(x, y), (y * width + x) * channels)
  }
  return { data, width, height, channels }
}

const size = { width: 160, height: 120 }
const waves = (x: number, y: number) => 128 + 60 * Math.sin(x / 5) * Math.cos(y / 7)
const grey = (value: number) => [value, value, value].map((one) => Math.max(0, Math.min(255, Math.round(one))))
const original = draw(size, (x, y) => grey(waves(x, y)))
const compare = createComparison(original)

/** Noise of either sign that depends only on the position. */
const noise = (x: number, y: number) => (((x * 7919 + y * 104_729) % 17) - 8) / 8

describe('how alike two images look', () => {
  it('is 100 for the same', () => {
    expect(compare(original)).toBe(100)
  })

  it('falls as more is lost', () => {
    const scores = [0, 2, 6, 15, 40].map((strength) =>
      compare(draw(size, (x, y) => grey(waves(x, y) + strength * noise(x, y)))),
    )
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(scores[1]).toBeGreaterThan(97)
    expect(scores[4]).toBeLessThan(90)
  })

  it('is 0 for another size', () => {
    expect(compare(draw({ width: 159, height: 120 }, () => grey(128)))).toBe(0)
  })

  it('notices a tint that brightness does not show', () => {
    const tinted = draw(size, (x, y) => {
      const value = Math.round(waves(x, y))
      return [value + 20, value - 10, value]
    })
    expect(compare(tinted)).toBeLessThan(94)
  })

  it('notices the loss of small content on an empty page', () => {
    const page = draw(size, (x, y) => grey(x < 16 && y < 8 && x % 4 < 2 ? 0 : 255))
    const empty = draw(size, () => grey(255))
    expect(createComparison(page)(empty)).toBeLessThan(60)
  })

  it('counts what is transparent as it shows on black or on white', () => {
    const clear = { ...size, channels: 4 }
    const ring = draw(clear, (x, y) => [255, 255, 255, waves(x, y)])
    const opaque = draw(clear, () => [255, 255, 255, 255])
    // On white both look the same.
    expect(createComparison(ring)(opaque)).toBeLessThan(80)
    expect(createComparison(ring)(ring)).toBe(100)
  })

  it('is the same for an image that is compared in parts', () => {
    const large = { width: 1200, height: 1100 }
    const half = draw(large, (x, y) => grey(waves(x, y) + (y > 1000 ? 40 * noise(x, y) : 0)))
    const whole = createComparison(draw(large, (x, y) => grey(waves(x, y))))(half)
    expect(whole).toBeGreaterThan(80)
    expect(whole).toBeLessThan(97)
  })

  it.each([
    [1, 1],
    [3, 200],
    [7, 5],
  ])('is known for images of %i by %i pixels', (width, height) => {
    const dark = draw({ width, height }, () => grey(10))
    const own = createComparison(dark)
    expect(own(dark)).toBe(100)
    expect(own(draw({ width, height }, () => grey(250)))).toBeLessThan(60)
  })
})
