import { describe, expect, it } from 'vitest'
import { withText } from './inline-text.ts'

const { signal } = new AbortController()
const result = { content: [{ type: 'text' as const, text: 'One file.' }] }
const fileOf = (name: string, bytes: Uint8Array, read = async () => bytes) => ({
  name,
  size: bytes.length,
  bytes: read,
})
const text = (name: string, size: number) => fileOf(name, new TextEncoder().encode('a'.repeat(size)))

async function textsOf(...files: Parameters<typeof withText>[1]) {
  const { content } = await withText(result, files, signal)
  return content.slice(1).map((one) => (one.type === 'text' ? one.text : one.type))
}

describe('text of results', () => {
  it('follows the existing content', async () => {
    const { content } = await withText(result, [text('a.txt', 3)], signal)
    expect(content).toEqual([...result.content, { type: 'text', text: 'Content of a.txt:\naaa' }])
  })

  it('is given up to 16 kB, and not a byte more', async () => {
    expect(await textsOf(text('a.txt', 16_000))).toEqual([`Content of a.txt:\n${'a'.repeat(16_000)}`])
    expect(await textsOf(text('a.txt', 16_001))).toEqual([
      'a.txt is not included: at most 16 kB of text are. Use its link.',
    ])
  })

  it('is given up to 16 kB for all files together, in their order', async () => {
    const texts = await textsOf(text('a.txt', 9_000), text('b.txt', 9_000), text('c.txt', 7_000), text('d.txt', 1))
    expect(texts.map((one) => one.slice(0, 15))).toEqual([
      'Content of a.tx',
      'b.txt is not in',
      'Content of c.tx',
      'd.txt is not in',
    ])
  })

  it.each([
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47])],
    ['a file with a NUL', new TextEncoder().encode('a\0b')],
  ])('is not %s', async (_, bytes) => {
    expect(await textsOf(fileOf('a', bytes))).toEqual(['a is not included: it is not text.'])
  })

  it('keeps tabs, line ends, form feeds and other scripts', async () => {
    const given = 'ä\t語\r\n\f🙂\n'
    expect(await textsOf(fileOf('a.txt', new TextEncoder().encode(given)))).toEqual([`Content of a.txt:\n${given}`])
  })

  it('is left out if it cannot be read', async () => {
    const broken = fileOf('a.txt', new Uint8Array(1), () => Promise.reject(new Error('The link has expired.')))
    expect(await textsOf(broken)).toEqual(['a.txt is not included: The link has expired. Use its link.'])
  })
})
