import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { redPixel } from '../testing/sample-books.ts'
import { huffmanCodes, huffmanTables, makeKf8, makeMobi, makePalmText, palmDatabase } from '../testing/sample-mobi.ts'

const bench = usePlanBench()

const run = (content: Uint8Array, to: string) =>
  bench.run({ operation: 'convert', sources: [{ format: 'mobi', content }], to })

async function convert(content: Uint8Array, to: string) {
  const end = await run(content, to)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return { text: String(end.files[0]?.bytes), bytes: end.files[0]?.bytes, warnings: end.warnings }
}

const pixel = redPixel.toString('base64')
const page = (body: string) => `<html><head><guide></guide></head><body>${body}</body></html>`
const about = { 100: 'Ada Lovelace', 106: '2026-03-02', 503: 'Notes – a book', 524: 'en' }

/** A page with a link to the position between `before` and `after`. */
function linked(before: string, after: string): string {
  const whole = (place: number) => page(`<a filepos=${String(place).padStart(10, '0')}>go</a>${before}${after}`)
  return whole(Buffer.byteLength(whole(0).slice(0, whole(0).indexOf(before) + before.length)))
}

describe('a Kindle book of the older kind', { timeout: 120_000 }, () => {
  it.each([1, 2])('is read with compression %s', async (compression) => {
    const words = `<h1>Überschrift</h1>${'<p>Many words – all of them kept.</p>'.repeat(400)}`
    const { text, warnings } = await convert(makeMobi({ text: page(words), compression, about }), 'html')
    expect(warnings).toEqual([])
    expect(text).toContain('<title>Notes – a book</title>')
    expect(text.match(/Many words – all of them kept\./g)).toHaveLength(400)
  })

  it('is read with Huffman codes, and phrases that are packed themselves', async () => {
    const phrases = ['<html><body><p>', 'one ', 'two ', '</p></body></html>', [1, 2], [4, 4]]
    const packed = [huffmanCodes([0, 5, 1]), huffmanCodes([2, 3])]
    const book = makeMobi({ text: '', packed, compression: 17480, tables: huffmanTables(phrases) })
    expect((await convert(book, 'txt')).text).toContain('one two one two one two')
  })

  it('has its images, links and page breaks', async () => {
    const words = linked('<p>Début</p><mbp:pagebreak/>', '<h2>Target</h2><img recindex="00001" alt="red">')
    const { text } = await convert(makeMobi({ text: words, images: [redPixel] }), 'html')
    expect(text).toContain(`data:image/png;base64,${pixel}`)
    const [, id] = /<a href="#(lathe-p\d+)">go<\/a>/.exec(text) ?? []
    expect(text).toMatch(new RegExp(`<a id="${id}"></a><h2>Target`))
    expect(text).toContain('page-break-before')
  })

  it('gets its cover from what it says of itself', async () => {
    const book = makeMobi({ text: page('<p>words</p>'), images: [redPixel], about: { 201: Buffer.alloc(4) } })
    expect((await convert(book, 'html')).text).toContain('alt="Cover"')
  })

  it('becomes a book that readers open, a document and a page', async () => {
    const book = makeMobi({ text: page('<h1>Title</h1><p>words</p>'), about })
    expect((await convert(book, 'epub')).bytes?.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip')
    expect((await convert(book, 'docx')).bytes?.subarray(0, 2).toString()).toBe('PK')
    expect((await convert(book, 'pdf')).text).toMatch(/^%PDF-/)
  })

  it('may be a plain text for Palm readers, or HTML in one', async () => {
    expect((await convert(makePalmText('First line\nSecond <line>\n'), 'txt')).text).toMatch(
      /First line\s+Second <line>/,
    )
    expect((await convert(makePalmText('<html><p>in tags</p></html>'), 'txt')).text).not.toContain('<p>')
  })
})

describe('a Kindle book of the newer kind', { timeout: 120_000 }, () => {
  const head =
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><link rel="stylesheet" href="kindle:flow:0001?mime=text/css"/></head><body>'
  const book = makeKf8({
    files: [
      [head, '<h1>Erstes ü</h1><p><a href="kindle:pos:fid:0001:off:0000000003">next</a></p>', '</body></html>'],
      [head, '<p/><h2>Second</h2><img src="kindle:embed:0001?mime=image/png" alt=""/>', '</body></html>'],
    ],
    css: 'h1 { color: red; background: url(http://127.0.0.1:9/x) }',
    images: [redPixel],
    about,
  })

  it('is assembled from its skeletons and fragments', async () => {
    const { text, warnings } = await convert(book, 'html')
    expect(warnings).toEqual([])
    expect(text).toMatch(/Erstes ü<\/h1>[\s\S]*<h2>Second<\/h2>/)
    expect(text).toContain(`data:image/png;base64,${pixel}`)
    expect(text).toContain('h1 { color: red')
    expect(text).not.toContain('127.0.0.1')
    const place = /<a href="#(lathe-p\d+)">next/.exec(text)?.[1]
    expect(text).toMatch(new RegExp(`<a id="${place}"></a>\\s*<(p|h2)`))
  })
})

const tricks = `<script>alert(1)</script><p onclick="alert(2)">kept words</p><iframe src="file:///etc/passwd"></iframe>
<a href="javascript:alert(3)">link</a><img src="x" onerror="alert(4)"><img src="file:///etc/passwd"><img src="http://127.0.0.1:9/a">
<img recindex="99999"><img src="kindle:embed:VVVV"><a filepos=4294967295>far</a><a filepos=3>near</a>
<object data="file:///etc/passwd"></object><meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">`

describe('a hostile Kindle book', { timeout: 120_000 }, () => {
  it('is inert', async () => {
    const { text } = await convert(makeMobi({ text: page(tricks) }), 'html')
    expect(text).toContain('kept words')
    expect(text).toContain("default-src 'none'")
    const inside = text.slice(text.indexOf('<body>'))
    expect(inside).not.toMatch(
      /<(script|iframe|object|embed|form|meta|base|link|style)\b|onclick|onerror|127\.0\.0\.1|file:/i,
    )
  })

  it.each([1, 2])('that is protected (%s) is refused, and its protection is not touched', async (encryption) => {
    const text = expect.stringContaining('Lathe does not remove protection')
    expect(await run(makeMobi({ text: page('x'), encryption }), 'epub')).toMatchObject({ code: 'input_damaged', text })
  })

  it('that grows when it is read is refused [L-kindle-text]', async () => {
    // Each phrase contains the previous one 40 times, which makes 40 to the sixth characters.
    const phrases = ['x'.repeat(40), ...Array.from({ length: 5 }, (_, n) => Array(40).fill(n))]
    const book = makeMobi({ text: '', packed: [huffmanCodes([5])], compression: 17480, tables: huffmanTables(phrases) })
    expect(await run(book, 'txt')).toMatchObject({ code: 'limit_exceeded' })
  })

  it.each([
    [
      'holds itself',
      makeMobi({ text: '', packed: [huffmanCodes([0])], compression: 17480, tables: huffmanTables([[0, 0]]) }),
    ],
    ['has no tables', makeMobi({ text: '', packed: [huffmanCodes([0])], compression: 17480 })],
    ['copies from nowhere', makeMobi({ text: '', packed: [Buffer.from([0xbf, 0xff])], compression: 2 })],
    ['has no records', palmDatabase([])],
    ['has an empty record', palmDatabase([Buffer.alloc(0)])],
    ['is only its mark', Buffer.from(`${'\0'.repeat(60)}BOOKMOBI`)],
    ['is another database', palmDatabase([Buffer.alloc(300)], 'DATALSdb')],
    ['is empty', makeMobi({ text: page('') })],
  ])('that %s is refused', async (_, content) => {
    expect(await run(content, 'txt')).toMatchObject({ code: 'input_damaged' })
  })

  it('that was changed anywhere ends in a result or a failure', async () => {
    const books = [
      makeMobi({ text: page('<p>words</p>'), images: [redPixel], about }),
      makeKf8({ files: [['<html><body>', '<p>words</p>', '</body></html>']] }),
    ]
    for (const book of books) {
      for (let at = 60; at < book.length; at += Math.ceil(book.length / 16)) {
        const bad = Buffer.from(book)
        bad[at] = (bad[at] ?? 0) ^ 0xff
        const end = await run(bad, 'html')
        expect(isFailure(end) ? end.code : 'done', `byte ${at}`).toMatch(/^(done|input_damaged|limit_exceeded)$/)
      }
    }
  })
})
