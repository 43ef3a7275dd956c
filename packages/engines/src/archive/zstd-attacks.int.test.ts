import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tarOf } from '../../../../fixtures/attacks/archives.ts'
import { type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const extract = (format: string, content: Uint8Array) => attacks.run(format, content, format, { operation: 'extract' })

const raw = 0
const compressed = 2
const reserved = 3

/** A Zstandard frame (RFC 8878) with one block, which may claim another size than it has. */
function frameOf(kind: number, block: readonly number[], { claims = block.length, head = [0x20, 64] } = {}): Buffer {
  const blockHead = Buffer.alloc(3)
  blockHead.writeUIntLE(1 + kind * 2 + claims * 8, 0, 3)
  return Buffer.concat([Buffer.from('28b52ffd', 'hex'), Buffer.from(head), blockHead, Buffer.from(block)])
}

/** The three bytes before compressed literals: how many they are, and how many bytes they take. */
const literals = (count: number, bytes: number) => {
  const bits = 2 + count * 2 ** 4 + bytes * 2 ** 14
  return [bits & 0xff, (bits >> 8) & 0xff, (bits >> 16) & 0xff]
}

// No literals, then one sequence of the given codes: a length of literals, an offset, a length to copy.
const sequence = (literalLength: number, offset: number, match: number) => [
  ...[0x00, 0x01, 0x54, literalLength, offset, match],
  ...[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
]

const hostile: Readonly<Record<string, Buffer>> = {
  'more literals than a block holds': frameOf(compressed, [0xfd, 0xff, 0xff, 0x41, 0x00]),
  'literals that take more bytes than the block': frameOf(compressed, [...literals(1000, 1000), 0x80, 0x10, 0x00]),
  'literals that take no bytes': frameOf(compressed, [...literals(1000, 0), 0x00]),
  'literals without a tree': frameOf(compressed, [0x03, 0x40, 0x00, 0xff, 0x00]),
  'a tree without weights': frameOf(compressed, [...literals(16, 4), 0x00, 0x00, 0x00, 0x01, 0x00]),
  'a tree of too many weights': frameOf(compressed, [...literals(16, 6), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00]),
  'a copy from before the start': frameOf(compressed, sequence(0, 31, 0)),
  'a copy of more than there is': frameOf(compressed, sequence(0, 3, 52)),
  'more literals in a sequence than there are': frameOf(compressed, sequence(35, 0, 0)),
  'codes that do not exist': frameOf(compressed, sequence(255, 255, 255)),
  'tables that repeat none': frameOf(compressed, [0x00, 0x01, 0xfc, 0xff, 0xff, 0x01]),
  'tables of impossible accuracy': frameOf(compressed, [0x00, 0x01, 0xa8, 0x0f, 0xff, 0xff, 0xff, 0xff, 0x01]),
  'sequences without bits': frameOf(compressed, [0x00, 0xff, 0xff, 0xff]),
  'a block of a reserved kind': frameOf(reserved, [0x00, 0x00]),
  'a block larger than allowed': frameOf(raw, [0x41], { claims: 2 ** 20 }),
  'a window of terabytes': frameOf(raw, [0x41], { head: [0x00, 0xff] }),
  'content of exabytes': frameOf(raw, [0x41], { head: [0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] }),
  'an unknown dictionary': frameOf(raw, [0x41], { head: [0x23, 0xff, 0xff, 0xff, 0xff, 0x01] }),
}

// 7-Zip wrote outside its memory for such a frame (CVE-2024-11477). Lathe reads them with libarchive and libzstd.
describe('a Zstandard frame that lies (CVE-2024-11477) [CVE-2024-11477]', { timeout: 180_000 }, () => {
  it.each(Object.keys(hostile))('is damaged: %s', async (what) => {
    for (const format of ['zst', 'tar.zst']) {
      expect(await extract(format, hostile[what] ?? Buffer.alloc(0)), format).toMatchObject({ code: 'input_damaged' })
    }
  })

  it('anywhere ends in time', async () => {
    const text = Array.from({ length: 400 }, (_, n) => `line ${(n * 7919) % 1000}`).join('\n')
    const whole = zstdCompressSync(tarOf([{ name: 'a', content: text }]))
    expect(await extract('tar.zst', whole)).toMatchObject({ code: 'done' })
    for (let at = 4; at < whole.length; at += Math.ceil(whole.length / 24)) {
      const broken = Buffer.from(whole)
      broken.fill(0xff, at, Math.min(at + 3, broken.length))
      expect((await extract('tar.zst', broken)).code).toMatch(/^(done|input_damaged|limit_exceeded|no_files)$/)
    }
  })
})
