import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tarOf } from '../../../../fixtures/attacks/archives.ts'
import { rarOf } from '../../../../fixtures/attacks/rar.ts'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'
import { type AttackEnd, canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const extract = (format: string, content: Uint8Array) => attacks.run(format, content, format, { operation: 'extract' })
const wordsOf = ({ files }: AttackEnd) => files.map(({ bytes }) => bytes.toString()).sort()
const anyEnd = /^(done|input_damaged|input_encrypted|limit_exceeded|no_files|unsupported)$/

const writers: Readonly<Record<string, readonly string[]>> = {
  '7z': ['--format=7zip'],
  iso: ['--format=iso9660'],
  zip: ['--format=zip'],
  tar: ['--format=pax'],
  'tar.xz': ['-J', '--format=gnutar'],
}

/** Repacks the members of a tar as another archive, with bsdtar. */
async function packed(format: string, tar: Buffer): Promise<Buffer> {
  const args = [...(writers[format] ?? []), '-cf', 'out', '@in.tar']
  const { outputs } = await attacks.bench.tool('bsdtar', args, { files: { 'in.tar': tar }, outputs: ['out'] })
  if (!outputs.out) throw new Error(`no archive: ${format}`)
  return outputs.out
}

describe('links that lead out of the folder', { timeout: 120_000 }, () => {
  it.each(Object.keys(writers))('are never made nor followed: %s [C03]', async (format) => {
    const tar = tarOf([
      { name: 'folder', type: '2', target: '/tmp' },
      { name: 'up', type: '2', target: '../../../tmp' },
      { name: 'file', type: '2', target: canary },
      { name: 'plain', content: 'kept' },
      { name: 'hard', type: '1', target: 'plain' },
    ])
    const end = await extract(format, await packed(format, tar))
    expect(end.code).toBe('done')
    // Not every format has hard links: some repeat the file or write nothing.
    for (const words of wordsOf(end)) expect(words).toMatch(/^(kept)?$/)
    expect(end.warnings).toContainEqual(expect.stringContaining('links were left out'))
  })

  it('get nothing written through them [C03]', async () => {
    const through = [
      { name: 'folder', type: '2', target: '/tmp' },
      { name: 'folder/pwned', content: 'through' },
      { name: 'self', type: '2', target: 'self' },
      { name: 'self/pwned', content: 'itself' },
      { name: 'item', type: '2', target: 'item-0.bin' },
      { name: 'item', content: 'twice' },
    ]
    const end = await extract('tar', tarOf(through))
    expect(wordsOf(end)).toEqual(['itself', 'through', 'twice'])
    const { outputs } = await attacks.bench.tool('/bin/sh', ['-c', 'ls -a /tmp > seen'], { outputs: ['seen'] })
    expect(String(outputs.seen)).not.toContain('pwned')
  })

  // 7-Zip followed such links on Windows.
  it.each(['C:\\Windows', '\\\\?\\C:\\x', '/mnt/c/x', '..\\..\\x', '//host/share', '', '.', '\0/etc'])(
    'of a ZIP are left out, whatever they name (CVE-2025-11001, CVE-2025-11002): %j [CVE-2025-11001, CVE-2025-11002]',
    async (target) => {
      const link = { name: 'link', content: target, mode: 0o120777, store: true }
      const end = await extract('zip', zipOf([link, { name: 'link/pwned', content: 'kept' }]))
      expect(wordsOf(end)).toEqual(['kept'])
    },
  )

  it('of a RAR are left out [C03]', async () => {
    const rar = rarOf([
      { name: 'link', target: canary },
      { name: 'hard', target: canary, kind: 4 },
      { name: 'folder', target: '../../../tmp' },
      { name: 'folder/pwned', content: 'kept' },
      { name: '../../../../tmp/x', content: 'climbs' },
    ])
    const end = await extract('rar', rar)
    expect(end).toMatchObject({ code: 'done', warnings: ['3 links were left out.'] })
    expect(wordsOf(end)).toEqual(['climbs', 'kept'])
  })
})

describe('headers with wrong values', { timeout: 180_000 }, () => {
  it('about a size end the archive, not the reader', async () => {
    for (const claims of [2 ** 31, 2 ** 40, 2 ** 50]) {
      const rar = rarOf([{ name: 'x', content: 'x', claims }])
      expect((await extract('rar', rar)).code).toMatch(anyEnd)
      expect((await extract('zip', zipOf([{ name: 'x', content: 'x', claims }]))).code).toMatch(anyEnd)
    }
  })

  it.each([...Object.keys(writers), 'rar'])('anywhere end in time: %s [A13]', async (format) => {
    const plain = [
      { name: 'a', content: 'first'.repeat(50) },
      { name: 'b/c', content: 'second' },
    ]
    const whole = format === 'rar' ? rarOf(plain) : await packed(format, tarOf(plain))
    // A disk image is mostly zeros; the other bytes are its headers.
    const places = [...whole.keys()].filter((at) => whole[at] !== 0)
    const step = Math.ceil(places.length / 24)
    for (let n = 0; n < places.length; n += step) {
      for (const fill of [0xff, 0x7f]) {
        const broken = Buffer.from(whole)
        broken.fill(fill, places[n], Math.min((places[n] ?? 0) + 4, broken.length))
        expect((await extract(format, broken)).code).toMatch(anyEnd)
      }
      expect((await extract(format, whole.subarray(0, places[n]))).code).toMatch(anyEnd)
    }
  })

  it('about another kind of archive are not believed', async () => {
    const ntfs = Buffer.concat([Buffer.from('eb52904e54465320202020', 'hex'), Buffer.alloc(4096, 0xff)])
    const others = [
      ntfs,
      Buffer.from('hsqs'.padEnd(4096, '\xff'), 'latin1'),
      Buffer.from('MSCF'.padEnd(4096, '\xff'), 'latin1'),
    ]
    for (const content of others) {
      for (const format of ['zip', '7z', 'rar', 'iso', 'tar']) {
        expect(await extract(format, content)).toMatchObject({ code: 'input_damaged' })
      }
    }
  })
})
