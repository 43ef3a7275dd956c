import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'
import { sampleDicom } from '../testing/sample-dicom.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const run = (content: string | Uint8Array) => attacks.run('dcm', content, 'png')
const anyEnd = /^(done|input_damaged|limit_exceeded|unsupported)$/

const firstElement = Buffer.from('0800160055490000', 'hex').subarray(0, 6)
const pixelElement = Buffer.from('e07f1000', 'hex')
const sequence = Buffer.from('4000750253510000ffffffff', 'hex')
const item = Buffer.from('feff00e0ffffffff', 'hex')

/** Inserts bytes between the header of an image and its pixels. */
function withElement(bytes: Buffer): Buffer {
  const sample = sampleDicom()
  const at = sample.indexOf(pixelElement)
  return Buffer.concat([sample.subarray(0, at), bytes, sample.subarray(at)])
}

/** An image whose elements are compressed as a whole, with more data after them. */
function deflated(more: Buffer): Buffer {
  const plain = sampleDicom()
  const data = plain.subarray(plain.indexOf(firstElement))
  const marked = sampleDicom({ transferSyntax: '1.2.840.10008.1.2.1.99' })
  const meta = marked.subarray(0, marked.indexOf(firstElement))
  return Buffer.concat([meta, deflateRawSync(Buffer.concat([data, more]))])
}

describe('an image that claims too much', { timeout: 120_000 }, () => {
  it('has no more pixels or frames than allowed, whatever it holds [B02]', async () => {
    const none = Buffer.alloc(16)
    const large = sampleDicom({ columns: 65_535, rows: 65_535, pixels: none })
    expect(await run(large)).toMatchObject({ code: 'limit_exceeded' })
    expect(await run(sampleDicom({ frames: 999_999_999, pixels: none }))).toMatchObject({ code: 'limit_exceeded' })
    const both = sampleDicom({ columns: 9000, rows: 9000, frames: 1999, pixels: none })
    expect((await run(both)).code).toMatch(/^(input_damaged|limit_exceeded)$/)
  })

  it.each([
    ['an element of 4 GiB', Buffer.from('09001000554e0000feffffff', 'hex')],
    ['a text of 4 GiB', Buffer.from('0900100055540000f0ffffff41', 'hex')],
    ['a sequence without an end', Buffer.concat([sequence, item])],
    ['a type that is none', Buffer.from('0900100021210000ffffffff', 'hex')],
  ])('is refused: %s', async (_, bytes) => {
    expect((await run(withElement(bytes))).code).toMatch(anyEnd)
  })

  it('ends with sequences in each other', async () => {
    const nested = (depth: number) =>
      Buffer.concat(Array.from({ length: depth }, () => Buffer.concat([sequence, item])))
    for (const depth of [64, 1000]) expect((await run(withElement(nested(depth)))).code).toMatch(anyEnd)
    // DCMTK recurses for each level until its stack overflows. The sandbox contains this like any other crash.
    expect((await run(withElement(nested(100_000)))).code).toMatch(/^(engine_crashed|input_damaged)$/)
  })

  it('is unpacked within the memory of a step', async () => {
    expect(await run(deflated(Buffer.alloc(0)))).toMatchObject({ code: 'done' })
    const zeros = Buffer.concat([Buffer.from('e17f10004f420000fcffff0f', 'hex'), Buffer.alloc(0x0ffffffc)])
    expect((await run(deflated(zeros))).code).toMatch(anyEnd)
  })
})

describe('a truncated image', { timeout: 120_000 }, () => {
  const syntaxes = {
    JPEG: '1.2.840.10008.1.2.4.50',
    'lossless JPEG': '1.2.840.10008.1.2.4.70',
    'JPEG-LS': '1.2.840.10008.1.2.4.80',
    RLE: '1.2.840.10008.1.2.5',
  }

  it.each(Object.entries(syntaxes))('in its compressed pixels is damaged: %s', async (_, transferSyntax) => {
    const start = { JPEG: 'ffd8ffe0', RLE: '0f0000004000000000ffffff' }
    const pixels = Buffer.concat([
      Buffer.from(transferSyntax.endsWith('5') ? start.RLE : start.JPEG, 'hex'),
      Buffer.alloc(100, 0xff),
    ])
    const whole = sampleDicom({ transferSyntax, pixels })
    for (const content of [whole, whole.subarray(0, -20), whole.subarray(0, whole.indexOf(pixelElement) + 14)]) {
      expect(await run(content)).toMatchObject({ code: 'input_damaged' })
    }
  })

  it('anywhere ends in a result or a failure [A13]', async () => {
    const whole = sampleDicom()
    for (let at = 0; at < whole.length; at += 37) {
      expect((await run(whole.subarray(0, at))).code).toMatch(/^(done|input_damaged|unsupported)$/)
      const broken = Buffer.from(whole)
      broken.fill(0xff, at, at + 8)
      expect((await run(broken)).code).toMatch(anyEnd)
    }
  })
})

describe('an image that names other files', { timeout: 120_000 }, () => {
  it('shows none of them, and none of the names of people', async () => {
    for (const patient of [canary, `@${canary}`, `file://${canary}`, `$(cat ${canary})`, `${attacks.url}/x`]) {
      const { code, shown } = await run(sampleDicom({ patient }))
      expect(code).toBe('done')
      expect(shown).not.toContain(patient)
    }
  })

  it.each([
    ['a folder of a disk', Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), Buffer.from('04002012')])],
    ['a text that describes one', '(0008,0016) UI =SecondaryCaptureImageStorage\n(7fe0,0010) OW =/etc/passwd\n'],
    [
      'XML',
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><file-format><data-set>&e;</data-set></file-format>',
    ],
  ])('is not read as %s', async (_, content) => {
    expect((await run(content)).code).toMatch(/^(input_damaged|unsupported)$/)
  })
})
