import { isFailure } from '@lathe/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rawXps } from '../../../../fixtures/page-xps.ts'
import { makeDjvu } from '../testing/make-pages.ts'
import { openPdfAttacks, type PdfAttacks } from '../testing/pdf-attacks.ts'

let given: PdfAttacks
beforeAll(async () => {
  given = await openPdfAttacks()
})
afterAll(() => given[Symbol.asyncDispose]())
afterEach(() => expect(given.tripwire.hits()).toBe(0))

const attack = (format: 'xps' | 'djvu', content: Uint8Array, to = 'pdf') => given.attack(content, { format, to })

const codeOf = (end: Awaited<ReturnType<typeof attack>>) => (isFailure(end) ? end.code : 'done')
const image = (source: string) =>
  `<Path Data="M 0,0 L 99,0 99,99 0,99 Z"><Path.Fill><ImageBrush ImageSource="${source}" Viewbox="0,0,9,9" Viewport="0,0,99,99"/></Path.Fill></Path>`

describe('XPS', () => {
  it.each([
    ['a file of the host', () => image(given.secret)],
    ['a file above the document', () => image('../../../../../../etc/passwd')],
    ['a font of the host', () => '<Glyphs FontUri="/etc/passwd" FontRenderingEmSize="9" UnicodeString="x"/>'],
    ['an address', () => image(`http://127.0.0.1:${given.tripwire.port}/x.png`)],
    ['an external entity', () => `<!DOCTYPE x [<!ENTITY e SYSTEM "file://${given.secret}">]><Canvas>&e;</Canvas>`],
  ])('that names %s gets nothing of it', async (_, content) => {
    expect(['done', 'input_damaged']).toContain(codeOf(await attack('xps', rawXps([{ content: content() }]))))
  })

  it.each([
    ['elements within elements', '<Canvas>'.repeat(200_000)],
    ['a hundred megabytes of blanks', ' '.repeat(100_000_000)],
    ['a path of a million points', `<Path Fill="#ff0000" Data="M 0,0 ${'L 9,9 '.repeat(1_000_000)}"/>`],
  ])('with %s ends within its limits', async (_, content) => {
    expect(['done', 'input_damaged', 'limit_exceeded', 'engine_crashed']).toContain(
      codeOf(await attack('xps', rawXps([{ content }]), 'txt')),
    )
  })

  it('with a page of a kilometre is refused', async () => {
    const huge = rawXps([{ content: '', width: 4_000_000, height: 4_000_000 }])
    expect(['limit_exceeded', 'input_damaged']).toContain(codeOf(await attack('xps', huge, 'png')))
  })
})

describe('DjVu', () => {
  it('whose pages are other files gets none of them', async () => {
    const { outputs } = await given.bench.tool('sh', ['-c', 'djvmcvt -i in.djvu . index.djvu'], {
      files: { 'in.djvu': await makeDjvu(given.bench) },
      outputs: ['index.djvu'],
    })
    expect(codeOf(await attack('djvu', outputs['index.djvu'] ?? Buffer.alloc(0)))).toBe('input_damaged')
  })

  it('that claims a page of 65,535 pixels a side ends within its limits', async () => {
    const content = Buffer.from(await makeDjvu(given.bench))
    for (let at = content.indexOf('INFO'); at !== -1; at = content.indexOf('INFO', at + 1)) {
      content.writeUInt32BE(0xffffffff, at + 8)
    }
    expect(['done', 'input_damaged', 'limit_exceeded']).toContain(codeOf(await attack('djvu', content, 'png')))
  })

  it('with lengths that lie is refused or gives what there is', async () => {
    const content = Buffer.from(await makeDjvu(given.bench))
    content.writeUInt32BE(0x7fffffff, 8)
    for (const to of ['pdf', 'txt']) {
      expect(['done', 'input_damaged']).toContain(codeOf(await attack('djvu', content, to)))
    }
  })
})
