import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readable } from '../pictures/decoders.ts'
import { openPictureAttacks, type PictureAttacks } from '../testing/picture-attacks.ts'

let given: PictureAttacks
beforeAll(async () => {
  given = await openPictureAttacks()
})
afterAll(() => given[Symbol.asyncDispose]())

describe('A13 damaged images', () => {
  // A truncated file in a format without an end marker may still show its first part, but never more than that.
  const fine = ['done', 'input_damaged', 'limit_exceeded', 'unsupported', 'engine_crashed']

  it.each(readable)('A13: %s cut short or with flipped bytes ends in an image or a refusal', async (format) => {
    const whole = given.samples[format] ?? Buffer.alloc(0)
    const empty = [Buffer.alloc(0), whole.subarray(0, 12)]
    const cut = [0.3, 0.9].map((share) => whole.subarray(0, whole.length * share))
    const flipped = [1, 4].map((seed) => mutant(whole, seed))
    // In parallel, because they mostly wait for their sandboxes.
    const ends = await Promise.all([...empty, ...cut, ...flipped].map((content) => given.convert(content, format)))
    const codes = ends.map(({ code }) => code)
    expect(codes.slice(0, empty.length)).not.toContain('done')
    for (const code of codes) expect(fine).toContain(code)
  })

  it('A13: leave a working engine', () => given.stillWorks())
})

describe('A14 polyglots', () => {
  it.each(readable)('A14: a file named %s with other content is refused', async (format) => {
    const other = format === 'bmp' ? given.samples.psd : given.samples.bmp
    expect((await given.convert(other ?? '', format)).code).not.toBe('done')
  })

  it.each(['bmp', 'heic', 'psd', 'jxl', 'ico'])(
    'A14: %s with a page, a program and an archive behind it loses them',
    async (format) => {
      const tail = '<?php system($_GET[0]) ?><html><script>alert(1)</script>PK\x03\x04evil'
      const end = await given.convert(
        Buffer.concat([given.samples[format] ?? Buffer.alloc(0), Buffer.from(tail)]),
        format,
        {
          to: 'jpg',
        },
      )
      if (end.code !== 'done') return expect(end.code).toBe('input_damaged')
      expect(end.bytes?.includes('<?php')).toBe(false)
      expect(end.bytes?.includes('PK\x03\x04')).toBe(false)
    },
  )
})

function mutant(whole: Buffer, seed: number): Buffer {
  const changed = Buffer.from(whole)
  for (let n = 0; n < 8; n++)
    changed[(seed * 7919 * (n + 1) ** 2) % Math.min(changed.length, 600 * seed)] = seed * 31 + n
  return changed
}
