import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { markupSources } from '../../../../fixtures/markup.ts'

const bench = usePlanBench()

async function convert(format: string, content: string, to: string) {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return { text: String(end.files[0]?.bytes), warnings: end.warnings }
}

const canary = 'canary-of-another-file'
const path = '/etc/passwd'

/** Every way in which a language can name another file. */
const includes: Readonly<Record<string, string>> = {
  rst: `Kept words\n\n.. include:: ${path}\n\n.. literalinclude:: ${path}\n\n.. csv-table:: x\n   :file: ${path}\n\n.. raw:: html\n   :file: ${path}\n\nEnd\n`,
  tex: `Kept words \\input{${path}} \\include{${path}} \\lstinputlisting{${path}} \\verbatiminput{${path}} \\usepackage{${path}} \\bibliography{${path}}\n`,
  org: `Kept words\n\n#+INCLUDE: "${path}" src\n\n#+SETUPFILE: ${path}\n`,
  typ: `Kept words\n\n#include "${path}"\n\n#import "${path}": x\n\n#read("${path}")\n`,
  man: `.TH X 1\n.SH NAME\nKept words\n.so ${path}\n.mso ${path}\n`,
  t2t: `Title\n\n\nKept words\n\n%!include: ${path}\n\n%!include: \`\`${path}\`\`\n`,
  mediawiki: `Kept words {{:File:${path}}} [[File:${path}]]\n`,
  docbook: `<!DOCTYPE article [<!ENTITY leak SYSTEM "file://${path}">]><article xmlns:xi="http://www.w3.org/2001/XInclude"><para>Kept words &leak;</para><xi:include href="${path}" parse="text"/></article>`,
  jats: `<!DOCTYPE article [<!ENTITY leak SYSTEM "file://${path}">]><article><body><p>Kept words &leak;</p></body></article>`,
  opml: `<!DOCTYPE opml [<!ENTITY leak SYSTEM "file://${path}">]><opml><body><outline text="Kept words &leak;"/></body></opml>`,
  html: `<p>Kept words</p><iframe src="file://${path}"></iframe><iframe src="${path}"></iframe><embed src="${path}"><object data="${path}"></object>`,
  ipynb: JSON.stringify({
    cells: [{ cell_type: 'markdown', metadata: {}, source: [`Kept words ![x](${path})`] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
  qmd: `Kept words\n\n{{< include ${path} >}}\n\n![x](${path})\n`,
}

describe('a text that names another file', () => {
  it.each(Object.entries(includes))('does not get it: %s', { timeout: 120_000 }, async (format, content) => {
    for (const to of ['md', 'docx']) {
      if (format === 'html' && to === 'docx') continue
      const { text } = await convert(format, content, to)
      expect(text).not.toMatch(/nobody:|root:x|cm9vdDp4/)
      if (to === 'md') expect(text).toContain('Kept words')
    }
  })

  it('gets a warning about it', { timeout: 60_000 }, async () => {
    const { warnings } = await convert('rst', includes.rst ?? '', 'md')
    expect(warnings).toEqual([expect.stringContaining('left out')])
  })

  it('does not read files in the folder of its own job', { timeout: 60_000 }, async () => {
    const { text } = await convert('tex', `${canary} \\input{in-0.tex} \\input{text.md}`, 'txt')
    expect(text.split(canary)).toHaveLength(2)
  })
})

describe('a text without end', () => {
  it('is refused if macros or entities are recursive', { timeout: 60_000 }, async () => {
    const loop = '\\newcommand{\\a}{\\a\\a}\\a'
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'tex', content: loop }], to: 'txt' })
    expect(end).toMatchObject({ code: 'input_damaged' })
    const entities = `<!DOCTYPE article [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY b${n} "${`&${n === 0 ? 'a' : `b${n - 1}`};`.repeat(10)}">`).join('')}]><article><para>x &b8;</para></article>`
    expect((await convert('docbook', entities, 'txt')).text.length).toBeLessThan(1000)
  })
})

describe('marked-up text', () => {
  it.each(Object.entries(markupSources))('keeps its words: %s', { timeout: 60_000 }, async (format, content) => {
    const { text } = await convert(format, content, 'rst')
    expect(text).toMatch(/strong words|Ada|Lovelace|First part/)
  })

  it('turns HTML of an author into inert HTML', { timeout: 60_000 }, async () => {
    const { text } = await convert(
      'org',
      'Words\n\n#+BEGIN_EXPORT html\n<script>alert(1)</script><p>inside</p>\n#+END_EXPORT\n',
      'html',
    )
    expect(text).toContain('Words')
    expect(text).not.toContain('<script')
  })

  it('shows no tags of a page that only group its parts', async () => {
    const page =
      '<div class="box"><div><p>One <span class="x">word</span></p></div><table><tr><td>a</td></tr></table></div>'
    const { text } = await convert('html', page, 'md')
    expect(text).toContain('One word')
    expect(text).not.toMatch(/<\/?(div|span)/)
  })

  it('keeps the names of images, and warns of images that have no place', { timeout: 60_000 }, async () => {
    const named = await convert('md', '![a drawing](drawing.png)\n', 'rst')
    expect(named.text).toContain('drawing.png')
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const held = await convert('md', `Text ![a drawing](data:image/png;base64,${pixel}) end\n`, 'tex')
    expect(held.text).toContain('a drawing')
    expect(held.warnings).toEqual([expect.stringContaining('cannot hold')])
  })
})
