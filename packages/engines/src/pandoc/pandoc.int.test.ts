import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { makeEpub, makeFb2, redPixel } from '../testing/sample-books.ts'
import { abilities } from './abilities.ts'

const bench = usePlanBench()

const markdown = `# Title\nSteps:\n- one\n- two\n\nRun:\n\`\`\`sh\nls -l\n\`\`\`\n\nH<sub>2</sub>O<br>next — ünïcode\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n`
const samples: Readonly<Record<string, string | Uint8Array>> = { epub: makeEpub(), fb2: makeFb2(), md: markdown }

async function convert(format: string, content: string | Uint8Array, to: string, options = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  const [file] = end.files
  if (!file) throw new Error('nothing came out')
  return { bytes: file.bytes, text: file.bytes.toString(), warnings: end.warnings }
}

async function wordsOf(pdf: Buffer): Promise<string> {
  return (await bench.tool('pdftotext', ['in-0.pdf', '-'], { files: { 'in-0.pdf': pdf } })).stdout
}

/** The words of an output. Pandoc reads back the formats that it wrote. */
async function plainOf(bytes: Buffer, format: string): Promise<string> {
  if (format === 'pdf') return wordsOf(bytes)
  if (['txt', 'md', 'html', 'fb2'].includes(format)) return bytes.toString().replaceAll(/<[^>]*>/g, '')
  const name = `in-0.${format}`
  return (await bench.tool('pandoc', ['-f', format, '-t', 'plain', name], { files: { [name]: bytes } })).stdout
}

const said: Readonly<Record<string, readonly string[]>> = {
  epub: ['Chapter One', 'Grüße', '你好', 'cell', 'The end.'],
  fb2: ['Глава первая', 'Строка стиха', 'ячейка', 'Примечание'],
  md: ['Title', 'one', 'ls -l', 'ünïcode'],
}

// Pandoc writes these formats but does not read them under that name. The matrix tests open them.
const onlyWritten = [
  'pptx',
  'mmd',
  'tex',
  'beamer',
  'context',
  'typ',
  'tei',
  'icml',
  'adoc',
  'muse',
  'markua',
  'ms',
  'texi',
]
const wikisOnlyWritten = ['zimwiki', 'xwiki']
const unread = new Set([...onlyWritten, ...wikisOnlyWritten])

describe('every pair of books and Markdown', () => {
  it.each(abilities.flatMap(({ from, to }) => (said[from] && !unread.has(to) ? [[from, to]] : [])))(
    '%s to %s keeps the words',
    { timeout: 120_000 },
    async (from, to) => {
      const { bytes } = await convert(from, samples[from] ?? '', to)
      const words = await plainOf(bytes, to)
      for (const word of said[from] ?? []) expect(words).toContain(word)
    },
  )
})

describe('a book', () => {
  it('keeps its style, its images and the links between its chapters', { timeout: 120_000 }, async () => {
    const { text } = await convert('epub', makeEpub(), 'html')
    expect(text).toContain('h1 { color: #336699 }')
    expect(text).toMatch(/<img src="data:image\/png;base64,/)
    expect(text).toContain('href="#c1-end"')
    expect(text).toContain('id="c1-end"')
    expect(text).toContain('<title>Sample Book</title>')
  })

  it('is printed as the options say', { timeout: 120_000 }, async () => {
    const options = { paper_size: 'a5', table_of_contents: true, font_size: 14, margin: 15 }
    const { bytes } = await convert('epub', makeEpub(), 'pdf', options)
    const { stdout } = await bench.tool('pdfinfo', ['in-0.pdf'], { files: { 'in-0.pdf': bytes } })
    expect(stdout).toMatch(/Page size:.*\(A5\)/)
    expect((await wordsOf(bytes)).match(/Chapter Two/g)).toHaveLength(2)
  })

  it('says its title, author and date, and does not repeat its title page', {
    timeout: 120_000,
  }, async () => {
    for (const to of ['txt', 'md']) {
      const { text } = await convert('epub', makeEpub(), to)
      for (const word of ['Sample Book', 'A. Writer', '2019-06-22']) expect(text).toContain(word)
    }
    const { bytes } = await convert('epub', makeEpub(), 'docx')
    const { stdout } = await bench.tool('pandoc', ['-f', 'docx', '-t', 'html', '-s', 'in-0.docx'], {
      files: { 'in-0.docx': bytes },
    })
    for (const word of ['Sample Book', 'A. Writer', '2019-06-22']) expect(stdout).toContain(word)
    const { text } = await convert('epub', makeEpub(), 'html')
    expect(text.match(/Sample Book/g)).toHaveLength(1)
  })

  it('without a title gets none where it would be printed', { timeout: 120_000 }, async () => {
    const untitled = makeFb2().replace('<book-title>Война и мир</book-title>', '')
    expect((await convert('fb2', untitled, 'rtf')).text).not.toContain('Untitled')
    const { bytes } = await convert('fb2', untitled, 'docx')
    const { stdout } = await bench.tool('pandoc', ['-f', 'docx', '-t', 'html', '-s', 'in-0.docx'], {
      files: { 'in-0.docx': bytes },
    })
    expect(stdout).not.toContain('Untitled')
    expect((await convert('fb2', untitled, 'html')).text).toContain('<title>Untitled</title>')
  })

  it('opens without a package, its chapters in the order of their names', { timeout: 120_000 }, async () => {
    const { text } = await convert('epub', makeEpub({ hasPackage: false }), 'txt')
    expect(text.indexOf('Chapter One')).toBeGreaterThanOrEqual(0)
    expect(text.indexOf('Chapter One')).toBeLessThan(text.indexOf('Chapter Two'))
  })

  it('opens with a chapter that is no XML', { timeout: 120_000 }, async () => {
    const { text } = await convert('epub', makeEpub({ chapters: ['<html><body><p>one<br>two<p>three & four'] }), 'txt')
    for (const word of ['one', 'two', 'three & four']) expect(text).toContain(word)
  })

  it('in Windows-1251 is read by what it declares', { timeout: 120_000 }, async () => {
    const latin = makeFb2().replace('utf-8', 'windows-1251')
    const content = Buffer.from([...latin].map((letter) => toCp1251(letter)))
    expect((await convert('fb2', content, 'txt')).text).toContain('Глава первая')
  })

  it('that lost its end is read as far as it goes', { timeout: 120_000 }, async () => {
    const whole = makeFb2()
    const { text } = await convert('fb2', whole.slice(0, whole.indexOf('<poem>')), 'txt')
    expect(text).toContain('Первый')
  })
})

function toCp1251(letter: string): number {
  const code = letter.codePointAt(0) ?? 0
  return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code
}

describe('Markdown', () => {
  it('has lists and code right after a line, as on GitHub', { timeout: 120_000 }, async () => {
    const { text } = await convert('md', markdown, 'html')
    expect(text).toMatch(/<li>\s*one/)
    expect(text).toContain('<sub>2</sub>')
    expect(text).toMatch(/<pre[^>]*>/)
    expect(text).toContain('☒')
  })

  it('has the drawn tables of Pandoc, unless it is read as GitHub does', { timeout: 120_000 }, async () => {
    const grid = '+---+---+\n| x | y |\n+===+===+\n| 1 | 2 |\n+---+---+\n'
    expect((await convert('md', grid, 'html')).text).toContain('<td>1</td>')
    expect((await convert('md', grid, 'html', { dialect: 'github' })).text).not.toContain('<td>')
  })

  it('keeps HTML of the author in documents', { timeout: 120_000 }, async () => {
    const { bytes } = await convert('md', 'H<sub>2</sub>O<br>x\n\n<table><tr><td>cell</td></tr></table>\n', 'docx')
    const words = await bench.tool('pandoc', ['-f', 'docx', '-t', 'html', 'in-0.docx'], {
      files: { 'in-0.docx': bytes },
    })
    expect(words.stdout).toContain('<sub>2</sub>')
    expect(words.stdout).toContain('cell')
  })

  it('shows the description of an image below it, and once where there is no image', { timeout: 120_000 }, async () => {
    const image = `data:image/png;base64,${redPixel.toString('base64')}`
    for (const note of ['', '\n\nA note.^[small]\n']) {
      const text = `![Inside](${image})\n\n![Elsewhere](other.png)\n${note}`
      const { bytes } = await convert('md', text, 'docx')
      const words = await plainOf(bytes, 'docx')
      expect(words.match(/Inside/g)).toHaveLength(2)
      expect(words.match(/Elsewhere/g)).toHaveLength(1)
    }
  })

  it('shows the title, the author and the abstract of its head', { timeout: 120_000 }, async () => {
    const head = '---\ntitle: A title\nsubtitle: More\nauthor: A. Writer\nabstract: |\n  In short.\n---\n\nText\n'
    const { text } = await convert('md', head, 'html')
    for (const words of ['A title', 'More', 'A. Writer', 'In short.']) expect(text).toContain(words)
  })

  it('in Windows-1252 is read', { timeout: 120_000 }, async () => {
    const { text } = await convert('md', Buffer.from('# Größe\n\nfür Bäcker', 'latin1'), 'txt')
    expect(text).toContain('Größe')
  })

  it('says which images are not there', { timeout: 120_000 }, async () => {
    const { warnings } = await convert('md', '![here](images/a.png) ![there](https://example.com/b.png)', 'docx')
    expect(warnings).toHaveLength(2)
    const page = await convert('md', '![here](images/a.png)', 'html')
    expect(page.text).toContain('src="images/a.png"')
    expect(page.warnings).toEqual([])
  })
})
