import { createHash } from 'node:crypto'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerJson, type FailingServer, startFailingServer } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransport, type Transport } from './transport.ts'
import { sendToForm } from './upload.ts'

const MiB = 2 ** 20
const bytes = new Uint8Array(20 * MiB).map((_, n) => n % 251)
const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-sdk-upload-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A tus server that stores one upload; `fault` may break a PATCH of the n-th request. */
async function startTus(fault: (patch: number) => 'lose answer' | 'break' | undefined = () => undefined) {
  let parts: Buffer[] = []
  let patches = 0
  let uploads = 0
  const offset = () => parts.reduce((sum, { length }) => sum + length, 0)
  const server = await startFailingServer((request, response) => {
    const headers = { 'upload-offset': String(offset()) }
    if (request.method === 'POST') {
      parts = []
      uploads += 1
      return response.writeHead(201, { location: `${server.url}/tus/${uploads}` }).end()
    }
    if (request.url !== `/tus/${uploads}`) return answerJson(response, 404, { errorCode: 'not_found' })
    if (request.method === 'HEAD') return response.writeHead(200, headers).end()
    patches += 1
    const what = fault(patches)
    if (what === 'break') return response.destroy()
    if (request.headers['upload-offset'] !== String(offset())) return answerJson(response, 409, {})
    parts.push(request.body)
    if (what === 'lose answer') return response.destroy()
    return response.writeHead(204, { 'upload-offset': String(offset()) }).end()
  })
  const forget = () => {
    uploads += 1
  }
  return { server, received: () => Buffer.concat(parts), forget }
}

const formOf = ({ url }: FailingServer) => ({ url, tusUrl: `${url}/tus`, parameters: { id: 'form' } })
const methodsOf = ({ seen }: FailingServer) => seen.map(({ method }) => method)

describe('an upload in parts', () => {
  it('resumes at the offset of the server when a response or connection is lost', async () => {
    const { server, received } = await startTus((n) => (n === 2 ? 'lose answer' : n === 3 ? 'break' : undefined))
    await using _ = server
    const sent: number[] = []
    const onProgress = (now: number) => void sent.push(now)
    await sendToForm(createTransport({ baseUrl: server.url }), formOf(server), bytes, { onProgress })
    expect(hashOf(received())).toBe(hashOf(bytes))
    // The part whose answer was lost is not sent again.
    expect(methodsOf(server)).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'HEAD', 'PATCH'])
    expect(sent).toEqual([8, 16, 16, 20].map((size) => size * MiB))
  })

  it('stops when it is aborted, and resumes when the same file is uploaded again', async () => {
    const { server, received } = await startTus()
    await using _ = server
    const path = join(folder, 'large.bin')
    await writeFile(path, bytes)
    const transport = createTransport({ baseUrl: server.url })
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('enough'))
    const first = sendToForm(transport, formOf(server), path, { signal: stop.signal, onProgress })
    await expect(first).rejects.toThrow('enough')
    expect(received().length).toBe(8 * MiB)
    const sent: number[] = []
    await sendToForm(transport, formOf(server), path, { onProgress: (now) => void sent.push(now) })
    expect(hashOf(received())).toBe(hashOf(bytes))
    expect(methodsOf(server)).toEqual(['POST', 'PATCH', 'HEAD', 'PATCH', 'PATCH'])
    expect(sent).toEqual([8, 16, 20].map((size) => size * MiB))
  })

  it('resumes in another process with a store, and removes it there once it is complete', async () => {
    const { server, received } = await startTus((n) => (n === 2 ? 'break' : undefined))
    await using _ = server
    const items = new Map<string, string>()
    const store = {
      getItem: async (name: string) => items.get(name) ?? null,
      setItem: async (name: string, value: string) => void items.set(name, value),
      removeItem: async (name: string) => void items.delete(name),
    }
    const file = new File([bytes], 'large.bin', { lastModified: 1 })
    const started = sendToForm(createTransport({ baseUrl: server.url }), formOf(server), file, {
      store,
      signal: AbortSignal.timeout(300),
      onProgress: () => undefined,
    })
    await started.catch(() => undefined)
    expect(items.size).toBe(1)
    await sendToForm(createTransport({ baseUrl: server.url }), formOf(server), file, { store })
    expect(hashOf(received())).toBe(hashOf(bytes))
    expect(methodsOf(server).filter((method) => method === 'POST')).toHaveLength(1)
    expect(items.size).toBe(0)
  })

  it('starts again when the file has changed, or the server no longer has the upload', async () => {
    const { server, received, forget } = await startTus()
    await using _ = server
    const path = join(folder, 'changed.bin')
    await writeFile(path, bytes)
    const transport = createTransport({ baseUrl: server.url })
    const begin = async (from: Transport) => {
      const stop = new AbortController()
      const options = { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) }
      await expect(sendToForm(from, formOf(server), path, options)).rejects.toThrow('enough')
    }
    await begin(transport)
    const changed = bytes.map((byte) => byte ^ 1)
    await writeFile(path, changed)
    await utimes(path, 1, 1)
    await begin(transport)
    forget()
    await sendToForm(transport, formOf(server), path)
    expect(methodsOf(server).filter((method) => method === 'POST')).toHaveLength(3)
    expect(hashOf(received())).toBe(hashOf(changed))
  })

  it('waits for the callback about an interruption, also when the server cannot say how much has arrived', async () => {
    const { server, received } = await startTus((n) => (n === 2 ? 'break' : undefined))
    await using _ = server
    await using cut = await startFailingServer((_, response) => void response.destroy())
    const heard: unknown[] = []
    // As if the network was away from the first broken part until the second interruption.
    let isAway = false
    const fetch: typeof globalThis.fetch = (url, init) =>
      globalThis.fetch(isAway ? cut.url : url, init).catch((error: unknown) => {
        isAway = true
        throw error
      })
    const onInterrupted = async (error: unknown) => {
      heard.push(error)
      if (heard.length === 2) isAway = false
    }
    await sendToForm(createTransport({ baseUrl: server.url, fetch }), formOf(server), bytes, { onInterrupted })
    expect(hashOf(received())).toBe(hashOf(bytes))
    expect(heard).toMatchObject([{ name: 'ConnectionError' }, { name: 'ConnectionError' }])
    expect(methodsOf(server)).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'PATCH'])
  })

  it('starts again if the server loses the upload on the way', async () => {
    const { server, received, forget } = await startTus((n) => (n === 2 ? 'break' : undefined))
    await using _ = server
    await sendToForm(createTransport({ baseUrl: server.url }), formOf(server), bytes, { onInterrupted: forget })
    expect(hashOf(received())).toBe(hashOf(bytes))
    expect(methodsOf(server).filter((method) => method === 'POST')).toHaveLength(2)
  })
})

describe('an upload of a small file', () => {
  it('is repeated after Retry-After, and complete if only its response was lost', async () => {
    await using server = await startFailingServer((_, response, n) => {
      if (n === 1) return answerJson(response, 429, { errorCode: 'form_busy' }, { 'retry-after': '1' })
      if (n === 2) return response.destroy()
      answerJson(response, 404, { errorCode: 'form_used' })
    })
    const before = performance.now()
    await sendToForm(createTransport({ baseUrl: server.url }), formOf(server), new Blob(['a']))
    expect(server.seen).toHaveLength(3)
    expect(performance.now() - before).toBeGreaterThan(1000)
  })

  it('fails at once if the server refuses it', async () => {
    await using server = await startFailingServer((_, response) =>
      answerJson(response, 404, { errorCode: 'form_expired' }),
    )
    const sent = sendToForm(createTransport({ baseUrl: server.url }), formOf(server), new Blob(['a']))
    await expect(sent).rejects.toMatchObject({ errorCode: 'form_expired' })
    expect(server.seen).toHaveLength(1)
  })
})
