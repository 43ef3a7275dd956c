import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ArchiveEntry, planArchive } from './plan-archive.ts'

const run = promisify(execFile)
const at = new Date('2026-03-04T05:06:08Z')
const { signal } = new AbortController()

const listing = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    print(json.dumps({'bad': archive.testzip(), 'infos': [[i.filename, i.file_size, list(i.date_time)] for i in archive.infolist()[:5]], 'count': len(archive.infolist())}))
`
/** Reads directory and headers of a sparse file: the records are real, the content is zeros. */
const opening = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    info = archive.getinfo('late.txt')
    print(json.dumps({'text': archive.read(info).decode(), 'sizes': [i.file_size for i in archive.infolist()]}))
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-archive-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

function textEntry(name: string, text: string): ArchiveEntry {
  const content = Buffer.from(text)
  const open: ArchiveEntry['open'] = async (range) =>
    Readable.from([range ? content.subarray(range.start, range.end + 1) : content])
  return { name, size: content.length, crc32: crc32(content), open }
}

async function save(entries: readonly ArchiveEntry[]): Promise<string> {
  const path = join(folder, 'made.zip')
  await pipeline(planArchive(entries, at).stream(undefined, signal), createWriteStream(path))
  return path
}

async function python(script: string, path: string): Promise<unknown> {
  const { stdout } = await run('python3', ['-c', script, path])
  return JSON.parse(stdout)
}

describe('an archive in another program', () => {
  it('is read by Python with names, times and check sums intact', async () => {
    const path = await save([textEntry('ä 漢字.txt', 'one'), textEntry('empty', ''), textEntry('empty', 'two')])
    const time = [2026, 3, 4, 5, 6, 8]
    expect(await python(listing, path)).toEqual({
      bad: null,
      infos: [
        ['ä 漢字.txt', 3, time],
        ['empty', 0, time],
        ['empty-1', 3, time],
      ],
      count: 3,
    })
  })

  it('is read with more files than the original ZIP format allows', async () => {
    const entries = Array.from({ length: 65_600 }, (_, n) => textEntry(`f${n}`, ''))
    expect(await python(listing, await save(entries))).toMatchObject({ bad: null, count: 65_600 })
  })

  it('is read past four gibibytes', async () => {
    const size = 5 * 2 ** 30
    const hole: ArchiveEntry = { name: 'hole', size, crc32: 0, open: () => Promise.reject(new Error('never opened')) }
    const archive = planArchive([hole, textEntry('late.txt', 'still here')], at)
    const path = join(folder, 'made.zip')
    const headerEnd = 30 + 4 + 20
    const parts = [
      { start: 0, end: headerEnd - 1 },
      { start: headerEnd + size, end: archive.size - 1 },
    ]
    for (const [n, part] of parts.entries()) {
      const target = createWriteStream(path, { start: part.start, flags: n === 0 ? 'w' : 'r+' })
      await pipeline(archive.stream(part, signal), target)
    }
    expect(await python(opening, path)).toEqual({ text: 'still here', sizes: [size, 10] })
  })
})
