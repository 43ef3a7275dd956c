import { describe, expect, it } from 'vitest'

const { checkSide } = (await import(new URL('./encode.mjs', import.meta.url).href)) as {
  checkSide(format: string, size: { width: number; height: number }): void
}

const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

describe.each([
  ['jpg', 65_535],
  ['webp', 16_383],
  ['avif', 65_535],
  ['gif', 65_535],
])('pixels a side of a result in %s, %i', (format, limit) => {
  it.each(steps)('%s [L-format-side]', (_, step) => {
    for (const [width, height] of [
      [limit + step, 1],
      [1, limit + step],
    ] as const) {
      const check = () => checkSide(format, { width, height })
      if (step <= 0) expect(check).not.toThrow()
      else expect(check).toThrow(expect.objectContaining({ code: 'limit_exceeded' }))
    }
  })
})
