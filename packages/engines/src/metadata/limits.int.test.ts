import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { metadataLimits } from './limits.ts'

const bench = usePlanBench()

/** An SVG with these words as its subject. */
function drawing(words: readonly string[]): Buffer {
  const items = words.map((word) => `<rdf:li>${word}</rdf:li>`).join('')
  const names = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"'
  const rdf = `<rdf:RDF ${names}><rdf:Description rdf:about=""><dc:subject><rdf:Bag>${items}</rdf:Bag></dc:subject></rdf:Description></rdf:RDF>`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><metadata>${rdf}</metadata></svg>`)
}

async function read(words: readonly string[]) {
  const sources = [{ format: 'svg', content: drawing(words) }]
  const end = await bench.run({ operation: 'metadata', sources, to: 'json' })
  if (isFailure(end)) return { code: end.code, warnings: [], bytes: 0, subject: [] as string[] }
  const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
  const subject: string[] = JSON.parse(bytes.toString()).XMP.Subject
  return { code: 'done', warnings: end.warnings, bytes: bytes.length, subject }
}

describe('characters of one value of metadata, 10,000 [L-metadata-characters]', () => {
  const { characters } = metadataLimits
  const long = (count: number) => read(['a', 'x'.repeat(count)])

  it('one below', async () => {
    const { subject, warnings } = await long(characters - 1)
    expect([subject[1]?.length, warnings]).toEqual([characters - 1, []])
  })
  it('the limit', async () => {
    const { subject, warnings } = await long(characters)
    expect([subject[1]?.length, warnings]).toEqual([characters, []])
  })
  it('one above', async () => {
    const { subject, warnings } = await long(characters + 1)
    expect(subject[1]).toBe(`${'x'.repeat(characters)}…`)
    expect(warnings).toEqual(['Long values and lists were shortened.'])
  })
})

describe('entries of one list of metadata, 500 [L-metadata-entries]', () => {
  const { entries } = metadataLimits
  const many = (count: number) => read(Array.from({ length: count }, (_, n) => `w${n}`))

  it('one below', async () => {
    const { subject, warnings } = await many(entries - 1)
    expect([subject.length, warnings]).toEqual([entries - 1, []])
  })
  it('the limit', async () => {
    const { subject, warnings } = await many(entries)
    expect([subject.length, warnings]).toEqual([entries, []])
  })
  it('one above', async () => {
    const { subject, warnings } = await many(entries + 1)
    expect([subject.length, warnings.length]).toEqual([entries, 1])
  })
})

describe('bytes of metadata as JSON, 4 MiB [L-metadata-bytes]', () => {
  // Six spaces, two quotes, a comma and a line break around each word.
  const around = 10
  const word = 9000
  async function sized(total: number) {
    const filled = Array.from({ length: 465 }, () => 'y'.repeat(word))
    const { bytes } = await read(filled)
    return read([...filled, 'z'.repeat(total - bytes - around)])
  }

  it('one below', async () => {
    expect(await sized(metadataLimits.bytes - 1)).toMatchObject({ code: 'done', bytes: metadataLimits.bytes - 1 })
  })
  it('the limit', async () => {
    expect(await sized(metadataLimits.bytes)).toMatchObject({ code: 'done', bytes: metadataLimits.bytes })
  })
  it('one above', async () => {
    expect(await sized(metadataLimits.bytes + 1)).toMatchObject({ code: 'limit_exceeded' })
  })
})
