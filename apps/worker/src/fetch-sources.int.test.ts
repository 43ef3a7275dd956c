import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { deflateRawSync, gzipSync } from 'node:zlib'
import type { FileRecord } from '@lathe/database'
import { isFailure } from '@lathe/domain'
import { splitName } from '@lathe/formats'
import type { JobFolder } from '@lathe/sandbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchSources } from './fetch-sources.ts'
import type { Services } from './services.ts'
import type { TaskRun } from './task-run.ts'

let path: string
let folder: JobFolder
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'fetch-'))
  const createFile = (name: string) => open(join(path, name), 'wx')
  folder = { path, inode: 0, createFile, [Symbol.asyncDispose]: async () => undefined }
})
afterEach(() => rm(path, { recursive: true }))

async function fetch(content: Buffer, filename: string, declared?: string, operation = 'convert') {
  let taken = 0
  async function* chunks() {
    for (let at = 0; at < content.length; at += 50_000) {
      taken += 1
      yield content.subarray(at, at + 50_000)
    }
  }
  const services = { store: { open: async () => Readable.from(chunks(), { highWaterMark: 1 }) } } as unknown as Services
  const claim = { task: { operation, payload: declared === undefined ? {} : { input_format: declared } } }
  const run = { claim, signal: new AbortController().signal } as unknown as TaskRun
  const input = { key: 'k', filename, size: content.length, format: splitName(filename).ext } as FileRecord
  const roles = operation === 'watermark' ? { overlay: input } : {}
  return { end: await fetchSources(services, run, folder, [input], roles), taken: () => taken }
}

/** A compound file whose directory of two entries is its last sector, far behind the head. */
function compoundFile(name: string, sectors: number): Buffer {
  const file = Buffer.alloc(512 * (sectors + 2))
  file.write('d0cf11e0a1b11ae1', 'hex')
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(sectors, 48)
  file.writeUInt32LE(0xfffffffe, 68)
  file.fill(0xff, 76, 512)
  // The allocation table takes the first sectors; the directory is one sector, which ends its chain.
  for (let n = 0; n * 128 <= sectors; n++) file.writeUInt32LE(n, 76 + 4 * n)
  file.writeUInt32LE(0xfffffffe, 512 + 4 * sectors)
  for (const [n, text] of ['Root Entry', name].entries()) {
    const at = 512 * (sectors + 1) + 128 * n
    file.write(text, at, 'utf16le')
    file.writeUInt16LE(2 * text.length + 2, at + 64)
    file.fill(0xff, at + 68, at + 80)
  }
  file.writeUInt32LE(1, 512 * (sectors + 1) + 76)
  return file
}

/** A ZIP of a long part and one compressed part, as office programs write it. */
function packageOf(part: string, text: string): Buffer {
  const entries = [
    { name: 'media/video.bin', content: Buffer.alloc(200_000, 1), method: 0 },
    { name: part, content: deflateRawSync(text), method: 8 },
  ]
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, content, method } of entries) {
    const local = Buffer.alloc(30 + name.length)
    local.write('PK\x03\x04', 'latin1')
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt16LE(name.length, 26)
    local.write(name, 30)
    const listed = Buffer.alloc(46 + name.length)
    listed.write('PK\x01\x02', 'latin1')
    listed.writeUInt16LE(method, 10)
    listed.writeUInt32LE(content.length, 20)
    listed.writeUInt16LE(name.length, 28)
    listed.writeUInt32LE(offset, 42)
    listed.write(name, 46)
    parts.push(local, content)
    directory.push(listed)
    offset += local.length + content.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

describe('fetched sources', () => {
  it('are taken as they are by an operation of files of any kind', async () => {
    for (const [name, format] of [
      ['a.exe', 'bin'],
      ['logo.svgz', 'svg'],
      ['b.JPG', 'jpg'],
    ] as const) {
      const { end } = await fetch(gzipSync('no image'), name, undefined, 'archive')
      expect(end).toMatchObject({ sources: [{ file: `in-0.${format}`, format, size: gzipSync('no image').length }] })
      await rm(join(path, `in-0.${format}`))
    }
  })

  it('come with the files of roles, which must have a format of the role', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect((await fetch(svg, 'a.svg', undefined, 'watermark')).end).toMatchObject({
      sources: [{ file: 'in-0.svg' }],
      roles: { overlay: { file: 'in-1.svg', format: 'svg' } },
    })
    await rm(join(path, 'in-0.svg'))
    expect((await fetch(Buffer.from('%PDF-1.4\n'), 'a.pdf', undefined, 'watermark')).end).toMatchObject({
      code: 'unsupported',
      text: expect.stringMatching(/^The overlay: It is .*\(pdf\)\. Possible: png, jpg/),
    })
  })

  it('have the format in the directory of a compound file, wherever that is', async () => {
    const content = compoundFile('VisioDocument', 1000)
    const { end } = await fetch(content, 'report.doc')
    expect(end).toMatchObject({ sources: [{ file: 'in-0.vsd', format: 'vsd', filename: 'report.doc' }] })
    expect(await readdir(path)).toEqual(['in-0.vsd'])
    expect(content.equals(await readFile(join(path, 'in-0.vsd')))).toBe(true)
  })

  it('have the format in the compressed list of a package, under any name', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml'
    const content = packageOf('[Content_Types].xml', `<Types><Override ContentType="${type}"/></Types>`)
    expect((await fetch(content, 'budget')).end).toMatchObject({ sources: [{ file: 'in-0.xltx', format: 'xltx' }] })
    expect(content.equals(await readFile(join(path, 'in-0.xltx')))).toBe(true)
  })

  it('are safe from a list that is a decompression bomb', async () => {
    const content = packageOf('[Content_Types].xml', ' '.repeat(2 ** 24))
    expect((await fetch(content, 'bomb.docx')).end).toMatchObject({ sources: [{ format: 'docx' }] })
  })

  it.each([
    ['logo.svgz', 'svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    [
      'chart.emz',
      'emf',
      Buffer.concat([Buffer.from(`${'\x01\0\0\0\x6c\0\0\0'.padEnd(40, '\0')} EMF`), Buffer.alloc(100)]),
    ],
    ['clip.wmz', 'wmf', Buffer.concat([Buffer.from([0xd7, 0xcd, 0xc6, 0x9a]), Buffer.alloc(100)])],
  ])('that are compressed drawings are decompressed: %s', async (filename, format, content) => {
    const { end } = await fetch(gzipSync(content), filename)
    expect(end).toMatchObject({ sources: [{ file: `in-0.${format}`, format, size: content.length, filename }] })
    expect(await readdir(path)).toEqual([`in-0.${format}`])
    expect(content.equals(await readFile(join(path, `in-0.${format}`)))).toBe(true)
  })

  it('B05: that are drawings compressed twice, or other files under their names, stay archives', async () => {
    const twice = gzipSync(gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    for (const content of [twice, gzipSync('plain text')]) {
      const { end } = await fetch(content, 'logo.svgz')
      expect(end).toMatchObject({ sources: [{ format: 'gz', size: content.length }] })
      await rm(join(path, 'in-0.gz'))
    }
  })

  it('B05: that are compressed drawings over the size limit are refused', async () => {
    const bomb = gzipSync(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(70 * 2 ** 20)}</svg>`)
    expect((await fetch(bomb, 'bomb.svgz')).end).toMatchObject({ code: 'limit_exceeded' })
  })

  it('are refused by their detected format, with advice, if no engine reads it', async () => {
    const { end } = await fetch(compoundFile('   114', 1000), 'report.doc')
    expect(end).toMatchObject({
      code: 'unsupported',
      text: 'This file is named .doc but is a Project plan (mpp), which Lathe cannot convert yet. Save it as pdf, then import that.',
    })
  })

  it('are refused from their first bytes if these suffice', async () => {
    const { end, taken } = await fetch(Buffer.concat([Buffer.from('AC1021\0'), Buffer.alloc(2_000_000)]), 'plan.dwg')
    expect(isFailure(end) && end.text).toContain('This is an AutoCAD drawing (dwg)')
    expect(taken()).toBeLessThan(10)
    expect(await readdir(path)).toEqual([])
  })

  it('are damaged if their content does not match their name, and unsupported without a hint', async () => {
    const noise = Buffer.alloc(5000, 0x05)
    expect((await fetch(noise, 'a.png')).end).toMatchObject({ code: 'input_damaged' })
    expect((await fetch(noise, 'a')).end).toMatchObject({
      code: 'unsupported',
      text: expect.stringContaining('input_format'),
    })
  })

  it('of text under another name are read as text, with a warning', async () => {
    const { end } = await fetch(Buffer.from('a\tb\n1\t2\n'), 'export.xls')
    expect(end).toMatchObject({ sources: [{ format: 'csv' }], warnings: [expect.stringContaining('named .xls')] })
  })
})
