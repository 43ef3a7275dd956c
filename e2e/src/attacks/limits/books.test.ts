import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { bookStep, decodeStep } from '../../../../packages/engines/src/pandoc/book-step.ts'
import { makeEpub } from '../../../../packages/engines/src/testing/sample-books.ts'
import { huffmanCodes, huffmanTables, makeMobi } from '../../../../packages/engines/src/testing/sample-mobi.ts'
import { limitOf, runStep, withLimit } from '../support/run-step.ts'
import { isWithin, steps } from './steps.ts'

const MiB = 1024 ** 2

const bench = usePlanBench()

async function endOf(format: string, content: string | Uint8Array): Promise<string> {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to: 'txt' })
  return end.kind === 'done' ? 'done' : end.code
}

const directoryMark = Buffer.from('PK\x01\x02', 'latin1')

/** Packed and unpacked bytes as the directory of an archive states them. */
function sizesOf(archive: Buffer): { packed: number; unpacked: number } {
  let [packed, unpacked] = [0, 0]
  for (let at = archive.indexOf(directoryMark); at !== -1; at = archive.indexOf(directoryMark, at + 4)) {
    packed += archive.readUInt32LE(at + 20)
    unpacked += archive.readUInt32LE(at + 24)
  }
  return { packed, unpacked }
}

/** A book whose last entry, which nobody reads, claims to be of such sizes that the whole has these. */
function claiming({ packed, unpacked }: { packed: number; unpacked: number }): Buffer {
  const book = makeEpub({ more: [{ name: 'OPS/unused.bin', content: '', stored: true }] })
  const honest = sizesOf(book)
  const last = book.lastIndexOf(directoryMark)
  book.writeUInt32LE(packed - honest.packed, last + 20)
  book.writeUInt32LE(unpacked - honest.unpacked, last + 24)
  expect(sizesOf(book)).toEqual({ packed, unpacked })
  return book
}

const end = (step: number) => (isWithin(step) ? 'done' : 'limit_exceeded')

describe('files in an EPUB, 20,000', () => {
  it.each(steps)('%s [L-epub-entries]', async (_, step) => {
    const usual = makeEpub().readUInt16LE(makeEpub().length - 12)
    const more = Array.from({ length: 20_000 + step - usual }, (_file, n) => ({
      name: `OPS/${n}`,
      content: '',
      stored: true,
    }))
    const book = makeEpub({ more })
    expect(book.readUInt16LE(book.length - 12)).toBe(20_000 + step)
    expect(await endOf('epub', book)).toBe(end(step))
  })
})

describe('unpacked bytes of an EPUB, 1 GiB', () => {
  it.each(steps)('%s [L-epub-bytes]', async (_, step) => {
    expect(await endOf('epub', claiming({ packed: 512 * MiB, unpacked: 1024 * MiB + step }))).toBe(end(step))
  })
})

describe('unpacked bytes of an EPUB for each packed one, 200', () => {
  it.each(steps)('%s [L-epub-ratio]', async (_, step) => {
    expect(await endOf('epub', claiming({ packed: MiB, unpacked: 200 * MiB + step }))).toBe(end(step))
  })
})

describe('unpacked bytes of an EPUB before its ratio counts, 64 MiB', () => {
  it.each(steps)('%s [L-epub-ratio-from]', async (_, step) => {
    expect(await endOf('epub', claiming({ packed: 10_000, unpacked: 64 * MiB + step }))).toBe(end(step))
  })
})

// With a smaller number in the place of 256 MiB: it is the same code that counts.
describe('bytes of a book as one page, 256 MiB [L-book-page]', () => {
  const page = { titled: false, untitled: 'Untitled', contents: false, remote: false }
  const step = bookStep({ kind: 'epub', input: 'in-0.epub', output: 'page.html', ...page })
  const run = (limit: number) => runStep(bench, withLimit(step, 'page', limit), { 'in-0.epub': makeEpub() })

  it('is the limit that a page is checked against', () => {
    expect(limitOf(step, 'page')).toBe(256 * MiB)
  })

  it.each(steps)('%s', async (_, beyond) => {
    const whole = await run(100_000)
    const size = String(whole.outputs['page.html']).length
    expect(size).toBeGreaterThan(500)
    expect((await run(size - beyond)).end).toBe(end(beyond))
  })
})

describe('bytes of Markdown, 32 MiB', () => {
  it.each(steps)('%s [L-markdown]', async (_, step) => {
    const text = Buffer.alloc(32 * MiB + step, 'words of a text\n')
    // Pandoc would take minutes for what is let through, so the check is tried alone.
    const alone = await runStep(bench, decodeStep('md', 'in-0.md', 'text.md'), { 'in-0.md': text })
    expect(alone.end).toBe(end(step))
    if (!isWithin(step)) expect(await endOf('md', text)).toBe('limit_exceeded')
  })
})

// With smaller numbers in the place of 32 MiB: it is the same code that counts.
describe('text of a Kindle book, 32 MiB', () => {
  const page = { titled: false, untitled: 'Untitled', contents: false, remote: false }
  const own = bookStep({ kind: 'mobi', input: 'in-0.mobi', output: 'page.html', ...page })
  const phrases = ['<p>', 'words of a text ', [1, 1]]
  const packed = [huffmanCodes([0, 2, 2])]
  const text = '<p>words of a text </p>'

  it.each(steps)('%s [L-kindle-text]', async (_, step) => {
    expect(limitOf(own, 'text')).toBe(32 * MiB)
    const plain = withLimit(own, 'text', text.length - step)
    expect((await runStep(bench, plain, { 'in-0.mobi': makeMobi({ text }) })).end).toBe(end(step))
    const book = makeMobi({ text: '', packed, compression: 17480, tables: huffmanTables(phrases) })
    const coded = withLimit(own, 'text', '<p>'.length + 4 * 'words of a text '.length - step)
    expect((await runStep(bench, coded, { 'in-0.mobi': book })).end).toBe(end(step))
  })
})
