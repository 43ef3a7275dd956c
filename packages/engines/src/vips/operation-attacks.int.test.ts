import { isFailure } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pngOf, smallPng } from '../../../../fixtures/attacks/png.ts'
import { declaringSvgs, endlessSvgs, reachingSvgs } from '../../../../fixtures/attacks/svg.ts'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'

let attacks: EngineAttacks
let picture: string
beforeAll(async () => {
  attacks = await openEngineAttacks()
  const find = "find /usr/share -name '*.png' -size +1k -size -64k | sort | head -n 1 > seen"
  const { outputs } = await attacks.bench.tool('/bin/sh', ['-c', find], { outputs: ['seen'] })
  picture = String(outputs.seen).trim()
  expect(picture).toMatch(/^\/usr\/share\/.*\.png$/)
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const nowhere = '/usr/share/no/such.png'

/** The output of an operation, or the code of its failure. */
async function done(request: Parameters<EngineAttacks['bench']['run']>[0]): Promise<string> {
  const end = await attacks.bench.run(request)
  return isFailure(end) ? end.code : end.files.map(({ bytes }) => bytes.toString('base64')).join()
}

// librsvg draws SVG, inside libvips or, for a PDF, as a separate program.
const operations: Readonly<Record<string, (svg: string) => Promise<string>>> = {
  convert: (content) => done({ operation: 'convert', sources: [{ format: 'svg', content }], to: 'png' }),
  'convert to PDF': (content) => done({ operation: 'convert', sources: [{ format: 'svg', content }], to: 'pdf' }),
  optimize: (content) => done({ operation: 'optimize', sources: [{ format: 'svg', content }], to: 'svg' }),
  'watermark with it': (content) =>
    done({
      operation: 'watermark',
      sources: [{ format: 'png', content: smallPng() }],
      roles: { overlay: { format: 'svg', content } },
      to: 'png',
    }),
  'compare with it': (content) =>
    done({
      operation: 'compare',
      sources: [{ format: 'png', content: smallPng() }],
      roles: { other: { format: 'svg', content } },
      to: 'json',
    }),
}

describe('a drawing that refers to files and hosts [A08]', () => {
  it.each(Object.keys(operations))('has no effect on: %s', { timeout: 240_000 }, async (what) => {
    const run = operations[what] ?? operations.convert
    const drawings = (file: string, name: string) => {
      const bait = { file, picture: name, url: attacks.url }
      return { ...reachingSvgs(bait), ...declaringSvgs(bait) }
    }
    const twins: Readonly<Record<string, string>> = drawings(nowhere, nowhere)
    for (const [how, drawing] of Object.entries(drawings(canary, picture))) {
      expect(await run?.(drawing), how).toBe(await run?.(twins[how] ?? ''))
    }
    // An ordinary run also asserts that nothing connected to the port.
    expect(await attacks.run('png', smallPng(), 'jpg')).toMatchObject({ code: 'done' })
  })
})

describe('a drawing that never ends [B05]', () => {
  // Two of them run until the deadline of a step, minutes each: `npm run attacks` includes them.
  const quick = Object.entries(endlessSvgs()).filter(([what]) => !/octaves|billion deep/.test(what))

  it.each(Object.keys(operations))('is stopped for: %s', { timeout: 400_000 }, async (what) => {
    for (const [how, drawing] of quick) {
      const end = await operations[what]?.(drawing)
      if ((end ?? '').includes('_')) expect(end, how).toMatch(/^(limit_exceeded|input_damaged|engine_timeout)$/)
    }
  })
})

describe('an image of too many pixels [B02]', () => {
  const large = pngOf({ width: 65_535, height: 65_535 })
  const [png, bomb] = [
    { format: 'png', content: smallPng() },
    { format: 'png', content: large },
  ]

  it.each([
    ['optimized', { operation: 'optimize', sources: [bomb], to: 'png' }],
    ['watermarked', { operation: 'watermark', sources: [bomb], to: 'png', options: { text: 'x' } }],
    ['a watermark', { operation: 'watermark', sources: [png], roles: { overlay: bomb }, to: 'png' }],
    ['compared', { operation: 'compare', sources: [bomb], roles: { other: png }, to: 'json' }],
    ['compared with', { operation: 'compare', sources: [png], roles: { other: bomb }, to: 'png' }],
    ['a thumbnail', { operation: 'thumbnail', sources: [bomb], to: 'png' }],
  ] as const)('is refused by its header when it is %s', { timeout: 60_000 }, async (_, request) => {
    expect(await done(request)).toBe('limit_exceeded')
  })
})
