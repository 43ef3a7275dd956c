import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packedDrawingLimits } from '@lathe/formats'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unpackDrawing } from './unpack-drawing.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unpack-'))
})
afterEach(() => rm(folder, { recursive: true }))

const small = { bytes: 100_000, ratio: 10, ratioAfterBytes: 5000 }

async function unpack(packed: Uint8Array, limits: typeof small = packedDrawingLimits) {
  const path = join(folder, 'in-0')
  await writeFile(path, packed)
  await using target = await open(join(folder, 'in-0.svg'), 'wx')
  return await unpackDrawing({ path, target, signal: new AbortController().signal, limits })
}

const unpacked = () => readFile(join(folder, 'in-0.svg'))

/** Bytes that gzip cannot make smaller. */
function noise(length: number): Buffer {
  let state = 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state & 255
  }
  return Buffer.from(Array.from({ length }, next))
}

describe('a compressed drawing', () => {
  it('is decompressed completely, also with several members or trailing bytes [L-packed-drawing]', async () => {
    const parts = [gzipSync('<svg xmlns="http://www.w3.org/2000/svg">'), gzipSync('</svg>'), Buffer.alloc(512)]
    expect(await unpack(Buffer.concat(parts))).toBe(46)
    expect(String(await unpacked())).toBe('<svg xmlns="http://www.w3.org/2000/svg"></svg>')
  })

  it.each([
    ['its end', (packed: Buffer) => packed.subarray(0, -20)],
    ['the bytes it had', (packed: Buffer) => packed.fill(0x55, 200, 400)],
  ])('without %s is damaged', async (_, spoil) => {
    expect(await unpack(spoil(gzipSync(noise(5000))))).toMatchObject({ code: 'input_damaged' })
  })

  it.each([
    ['total, one below', noise(99_999), 99_999],
    ['total', noise(100_000), 100_000],
    ['total, one above', noise(100_001), undefined],
    ['size before the ratio counts', Buffer.alloc(5000), 5000],
    ['size before the ratio counts, one above', Buffer.alloc(5001), undefined],
  ])('B05: is held to its limit: %s [L-packed-drawing]', async (_, content, expected) => {
    const end = await unpack(gzipSync(content), small)
    if (expected === undefined) expect(end).toMatchObject({ code: 'limit_exceeded' })
    else expect(end).toBe(expected)
  })

  it('B05: is limited by its compression ratio [L-packed-drawing]', async () => {
    const start = noise(1000)
    const packed = gzipSync(Buffer.concat([start, Buffer.alloc(9000)])).length
    expect(await unpack(gzipSync(Buffer.concat([start, Buffer.alloc(9000)])), small)).toBe(10_000)
    await rm(join(folder, 'in-0.svg'))
    const bomb = Buffer.concat([start, Buffer.alloc(packed * 20)])
    expect(await unpack(gzipSync(bomb), small)).toMatchObject({ code: 'limit_exceeded' })
  })

  it('B05: that is a bomb is stopped early, with memory and disk for no more than its limit [L-packed-drawing]', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 ** 2), { level: 1 })
    expect(await unpack(bomb)).toMatchObject({ code: 'limit_exceeded' })
    const { length } = await unpacked()
    expect(length).toBeLessThanOrEqual(Math.max(64 * 1024 ** 2, bomb.length * 100))
  })
})
