import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../fixtures/cpu-ms.ts'

// A script of the runner, which has no types.
const script = new URL('./svg-depth.mjs', import.meta.url).href
const { svgDepth } = (await import(script)) as { svgDepth(text: string): number }

describe('svgDepth', () => {
  it.each([
    ['', 0],
    ['<svg/>', 1],
    ['<svg><g/><g/></svg>', 2],
    ['<?xml version="1.0"?><!-- <a><b> --><svg><g><rect/></g></svg>', 3],
    ['<svg><style><![CDATA[ a > b <c><d> ]]></style></svg>', 2],
    ['<svg a="/>" b=\'<x>\'><g/></svg>', 2],
    ['<svg><g', 2],
    ['</svg></svg><svg/>', 1],
  ])('of %s is %i', (text, depth) => {
    expect(svgDepth(text)).toBe(depth)
  })

  it('takes milliseconds for 4 MiB of anything', () => {
    const parts = ['<', '<!--', '<a "', '<a>', '</a>', '<![CDATA[']
    const spent = cpuMs(() => parts.map((part) => svgDepth(part.repeat(4_194_304 / part.length))))
    expect(spent).toBeLessThan(5_000)
  })
})
