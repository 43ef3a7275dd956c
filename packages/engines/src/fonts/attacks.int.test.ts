import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'
import { makeFont } from '../testing/sample-fonts.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const web: Readonly<Record<string, string>> = { ttf: 'woff', otf: 'woff', ttc: 'woff', woff: 'ttf', woff2: 'ttf' }
const anyEnd = /^(done|input_damaged|limit_exceeded)$/

/** Adds a table to a font with a Python script. */
async function withTable(script: string): Promise<Buffer> {
  const lines = ['from fontTools.ttLib import TTFont, newTable', 'font = TTFont("a.ttf")', script, 'font.save("b.ttf")']
  const io = { files: { 'a.ttf': await makeFont(attacks.bench, 'ttf') }, outputs: ['b.ttf'] }
  const { outputs, end } = await attacks.bench.tool('python3', ['-c', lines.join('\n')], io)
  if (!outputs['b.ttf']) throw new Error(`no font: ${JSON.stringify(end)}`)
  return outputs['b.ttf']
}

describe('a font that names other files', { timeout: 120_000 }, () => {
  it('cannot load them by an SVG glyph [A08]', async () => {
    const drawing = `<!DOCTYPE svg [<!ENTITY e SYSTEM "file://${canary}">]><svg xmlns="http://www.w3.org/2000/svg"><text>&e;</text><image href="file://${canary}"/><image href="${attacks.url}/x"/></svg>`
    const table = `table = font["SVG "] = newTable("SVG ")\ntable.docList = [(${JSON.stringify(drawing)}, 1, 1, False)]`
    const font = await withTable(table)
    for (const to of ['woff', 'woff2']) expect(await attacks.run('ttf', font, to)).toMatchObject({ code: 'done' })
  })

  it.each([
    [
      'a font of XML',
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file://${canary}">]><ttFont sfntVersion="x"><name>&e;</name></ttFont>`,
    ],
    [
      'a design space that writes elsewhere (CVE-2025-66034)',
      '<designspace format="5.0"><axes><axis tag="wght" name="W" minimum="1" maximum="9" default="4"/></axes><variable-fonts><variable-font name="x" filename="../../tmp/pwned"/></variable-fonts></designspace>',
    ],
    ['a font of PostScript', `%!PS-AdobeFont-1.0: x\n(${canary}) (r) file\n`],
    ['a serialized object', "cos\nsystem\n(S'id'\ntR."],
    ['nothing', ''],
  ])('is not read as %s', async (_, content) => {
    for (const from of Object.keys(web)) {
      expect(await attacks.run(from, content, web[from] ?? ''), from).toMatchObject({ code: 'input_damaged' })
    }
  })
})

describe('a font over a limit', { timeout: 180_000 }, () => {
  it('is refused by the counts that it claims', async () => {
    const heads: Readonly<Record<string, string>> = {
      ttf: '\0\x01\0\0',
      otf: 'OTTO',
      ttc: 'ttcf\0\x01\0\0',
      woff: 'wOFF\0\x01\0\0',
      woff2: 'wOF2\0\x01\0\0',
    }
    for (const [from, head] of Object.entries(heads)) {
      const content = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(200, 0xff)])
      expect(await attacks.run(from, content, web[from] ?? ''), from).toMatchObject({ code: 'input_damaged' })
    }
  })

  it('is stopped while it unpacks', async () => {
    const packed = deflateSync(Buffer.alloc(1024 ** 3))
    const head = Buffer.alloc(64)
    head.write('wOFF\0\x01\0\0', 'latin1')
    head.writeUInt32BE(64 + packed.length, 8)
    head.writeUInt16BE(1, 12)
    head.write('glyf', 44, 'latin1')
    for (const [n, value] of [64, packed.length, 1024 ** 3].entries()) head.writeUInt32BE(value, 48 + 4 * n)
    const end = await attacks.run('woff', Buffer.concat([head, packed]), 'ttf')
    expect(end.code).toMatch(/^(limit_exceeded|input_damaged)$/)
  })

  it('ends although its glyphs are made of each other', async () => {
    const cycle = `from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
names = font.getGlyphOrder()[1:3]
for name, other in (names, names[::-1]):
    part = GlyphComponent()
    part.glyphName, part.x, part.y, part.flags = other, 0, 0, 0x4
    glyph = Glyph()
    glyph.numberOfContours, glyph.components = -1, [part]
    glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
    font["glyf"].glyphs[name] = glyph
font.recalcBBoxes = False`
    const font = await withTable(cycle)
    for (const to of ['woff', 'woff2']) expect((await attacks.run('ttf', font, to)).code).toMatch(anyEnd)
  })

  it.each(['ttf', 'otf', 'ttc', 'woff2'])(
    'with damaged bytes ends in a result or a failure: %s [A13]',
    async (from) => {
      const whole =
        from === 'woff2'
          ? ((await attacks.run('ttf', await makeFont(attacks.bench, 'ttf'), 'woff2')).files[0]?.bytes ??
            Buffer.alloc(0))
          : await makeFont(attacks.bench, from)
      for (let at = 12; at < whole.length; at += Math.ceil(whole.length / 20)) {
        const broken = Buffer.from(whole)
        broken.fill(0xff, at, at + 16)
        expect((await attacks.run(from, broken, from === 'ttf' ? 'woff2' : 'ttf')).code).toMatch(anyEnd)
      }
    },
  )
})
