import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFailingServer } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { ResultFile } from './files.ts'
import type { TaskFile } from './generated/types.ts'
import { createTransport } from './transport.ts'

const bytes = Buffer.from(new Uint8Array(300_000).map((_, n) => n % 251))

const fileAt = (url: string) =>
  new ResultFile(createTransport({ baseUrl: url, key: 'k' }), {
    filename: 'a.bin',
    size: bytes.length,
    sha256: '',
    url: `${url}/file`,
  } as TaskFile)

describe('a download', () => {
  it('resumes at the byte where the connection was lost, each time', async () => {
    await using server = await startFailingServer((request, response, n) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length - from })
      if (n === 3) return response.end(bytes.subarray(from))
      response.write(bytes.subarray(from, from + 100_000))
      setTimeout(() => response.destroy(), 50)
    })
    const folder = await mkdtemp(join(tmpdir(), 'lathe-sdk-download-'))
    try {
      const path = await fileAt(server.url).save(join(folder, 'a.bin'))
      expect((await readFile(path)).equals(bytes)).toBe(true)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    // Bytes that had arrived but were not read yet may be lost with their connection.
    const ranges = server.seen.map(({ headers }) => Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0))
    expect(ranges).toHaveLength(3)
    expect(ranges).toEqual([0, ...ranges.slice(1).toSorted((one, other) => one - other)])
    expect(ranges[1]).toBeGreaterThan(0)
    // The link contains its own secret.
    expect(server.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  it('fails when the server would start at the first byte again, instead of mixing up the file', async () => {
    await using server = await startFailingServer((_, response) => {
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 1000))
      setTimeout(() => response.destroy(), 50)
    })
    await expect(fileAt(server.url).bytes()).rejects.toThrow('cannot be resumed')
  })

  it('stops when it is aborted', async () => {
    await using server = await startFailingServer((_, response) => {
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 1000))
    })
    await expect(fileAt(server.url).bytes({ signal: AbortSignal.timeout(100) })).rejects.toThrow()
    expect(server.seen).toHaveLength(1)
  })
})
