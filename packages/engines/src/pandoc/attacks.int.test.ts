import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { bookLimits } from '../markup/limits.ts'
import { chapter, makeEpub, makeFb2 } from '../testing/sample-books.ts'

const bench = usePlanBench()

const run = (format: string, content: string | Uint8Array, to: string) =>
  bench.run({ operation: 'convert', sources: [{ format, content }], to })

async function textOf(format: string, content: string | Uint8Array, to: string): Promise<string> {
  const end = await run(format, content, to)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return end.files.map(({ bytes }) => bytes.toString()).join()
}

const tricks = `<script>alert(1)</script><p onclick="alert(2)">kept words</p><iframe src="file:///etc/passwd"></iframe>
<a href="javascript:alert(3)">link</a><img src="x" onerror="alert(4)"><svg><style><img src=x onerror=alert(5)></style></svg>
<math><mtext><mglyph><style><img src=x onerror=alert(6)></style></mglyph></mtext></math>
<p style="background:url(http://127.0.0.1:9/a);u\\72l(http://127.0.0.1:9/b)">styled</p><noscript><p title="</noscript><img src=x onerror=alert(7)>"></noscript>
<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/"><form action="http://127.0.0.1:9/"><input></form>
<object data="file:///etc/passwd"></object><embed src="file:///etc/passwd"><svg><use href="http://127.0.0.1:9/#a"/><a xlink:href="javascript:alert(8)">svg link</a></svg>`

describe('HTML within a text', () => {
  it.each([
    ['md', tricks],
    ['epub', makeEpub({ chapters: [`<html><body>${tricks}</body></html>`] })],
    ['epub', makeEpub({ chapters: [chapter(`<script>alert(1)</script><p onclick="alert(2)">kept words</p>`)] })],
  ])('is inert: %s', { timeout: 120_000 }, async (format, content) => {
    const page = await textOf(format, content, 'html')
    expect(page).toContain('kept words')
    expect(page).toContain("default-src 'none'")
    const inside = page.slice(page.indexOf('<body>'))
    expect(inside).not.toMatch(/<(script|iframe|object|embed|form|meta|base|link|noscript|style)\b/i)
    // Text in quotes is a value; everything else is a name.
    for (const [tag] of inside.matchAll(/<[a-z](?:[^>"]|"[^"]*")*>/gi)) {
      expect(tag.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/\son\w+\s*=/i)
      expect(tag).not.toMatch(/="(javascript|file):|127\.0\.0\.1/i)
    }
  })
})

describe('a book that refers to other files', () => {
  it('gets no file by an entity', { timeout: 120_000 }, async () => {
    const doctype = '<!DOCTYPE x [<!ENTITY leak SYSTEM "file:///etc/passwd">]>'
    const text = await textOf('fb2', makeFb2('<p>before &leak; after</p>', doctype), 'txt')
    expect(text).toContain('before')
    expect(text).not.toContain('nobody')
    const epub = makeEpub({
      chapters: [`${doctype}<html xmlns="http://www.w3.org/1999/xhtml"><body><p>in &leak; out</p></body></html>`],
    })
    expect(await textOf('epub', epub, 'txt')).not.toContain('nobody')
  })

  it('gets no file by an image', { timeout: 120_000 }, async () => {
    const epub = makeEpub({
      chapters: [chapter('<p>words</p><img src="../../../../etc/passwd"/><img src="file:///etc/passwd"/>')],
    })
    expect(await textOf('epub', epub, 'html')).not.toMatch(/passwd|bm9ib2R5/)
    expect(await textOf('md', '![x](/etc/passwd)\n\n<img src="/etc/hostname">', 'txt')).not.toContain('nobody')
  })

  it('does not grow by entities within entities', { timeout: 120_000 }, async () => {
    const doctype = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 12 }, (_, n) => `<!ENTITY ${'b'.repeat(n + 1)} "${`&${n === 0 ? 'a' : 'b'.repeat(n)};`.repeat(10)}">`).join('')}]>`
    const text = await textOf('fb2', makeFb2(`<p>x &${'b'.repeat(12)}; y</p>`, doctype), 'txt')
    expect(text.length).toBeLessThan(10_000)
  })
})

describe('a book over a limit', () => {
  it('is refused if its archive unpacks to far more than its size [L-epub-ratio]', { timeout: 120_000 }, async () => {
    const bytes = bookLimits.freeBytes + 1
    const bomb = makeEpub({ more: [{ name: 'OPS/bomb.xhtml', content: Buffer.alloc(bytes, 0x20) }] })
    const end = await run('epub', bomb, 'txt')
    expect(end).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('more than 200 times its size') })
  })

  it('is converted if it is large but valid [L-epub-ratio-from]', { timeout: 120_000 }, async () => {
    const plain = makeEpub({
      more: [{ name: 'OPS/large.bin', content: Buffer.alloc(bookLimits.freeBytes + 1, 1), stored: true }],
    })
    expect(await textOf('epub', plain, 'txt')).toContain('Chapter One')
  })

  it('ends even if its elements lie very deep', { timeout: 120_000 }, async () => {
    const deep = '<div>'.repeat(5000)
    const end = await run('epub', makeEpub({ chapters: [`<html><body><p>top</p>${deep}deep`] }), 'pdf')
    expect(isFailure(end) ? end.code : 'done').toMatch(/^(done|input_damaged|limit_exceeded)$/)
    const sections = `${'<section>'.repeat(3000)}<p>deep</p>${'</section>'.repeat(3000)}`
    const other = await run('fb2', makeFb2(sections), 'txt')
    expect(isFailure(other) ? other.code : 'done').toMatch(/^(done|input_damaged|limit_exceeded)$/)
  })

  it('is refused if it is locked or no book', { timeout: 120_000 }, async () => {
    const lock = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">
<CipherData><CipherReference URI="OPS/text/one.xhtml"/></CipherData></EncryptedData></encryption>`
    const locked = makeEpub({ chapters: [chapter('x')], more: [{ name: 'META-INF/encryption.xml', content: lock }] })
    expect(await run('epub', locked, 'pdf')).toMatchObject({
      code: 'input_damaged',
      text: expect.stringContaining('DRM'),
    })
    expect(await run('epub', 'no archive', 'pdf')).toMatchObject({ code: 'input_damaged' })
    expect(await run('fb2', 'no xml', 'pdf')).toMatchObject({ code: 'input_damaged' })
  })
})
