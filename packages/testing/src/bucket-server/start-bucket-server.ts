import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createBucketObjects } from './bucket-objects.ts'
import { refuse, sendJson, sendObject, takePiece } from './serve-bucket.ts'
import { createTokenDesk, type TestAccount } from './token-desk.ts'

/**
 * One bucket behind the JSON API of Google Cloud Storage, together with its token endpoint. Covers service accounts,
 * media downloads and resumable uploads. Written from the public documentation of both.
 */
export interface BucketServer extends AsyncDisposable {
  readonly port: number
  readonly endpoint: string
  readonly tokenUrl: string
  readonly bucket: string
  /** May read and write. */
  readonly account: TestAccount
  /** A known account without any permission. */
  readonly stranger: TestAccount
  /** Names of the objects, and of unfinished uploads that hold some bytes. */
  list(): readonly string[]
  /** The requests received, as method and path. */
  readonly requests: readonly string[]
  endTokens(): void
}

export async function startBucketServer(): Promise<BucketServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lathe-bucket-'))
  const contents = createBucketObjects(folder)
  const desk = createTokenDesk()
  const account = desk.addAccount('lathe@project.example')
  const stranger = desk.addAccount('stranger@project.example')
  const bucket = 'test-bucket'
  const requests: string[] = []

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = desk.exchange(new URLSearchParams(await text(request)), tokenUrl)
    if ('error' in given) sendJson(response, 400, given)
    else sendJson(response, 200, { access_token: given.token, expires_in: 3599, token_type: 'Bearer' })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '', endpoint)
    requests.push(`${request.method} ${pathname}`)
    if (pathname === '/token') return giveToken(request, response)
    const holder = desk.find(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (!holder) return refuse(response, 401, 'authError')
    const mayWrite = holder.scope.endsWith('read_write')
    const isUpload = pathname === `/upload/storage/v1/b/${bucket}/o`
    if (holder.clientEmail !== account.clientEmail || (isUpload && !mayWrite)) return refuse(response, 403, 'forbidden')
    if (isUpload) return serveUpload(request, response, searchParams)
    return serveObject(request, response, { pathname, searchParams })
  }

  async function serveObject(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>,
  ) {
    const [, name] = new RegExp(`^/storage/v1/b/${bucket}/o/([^/]+)$`).exec(pathname) ?? []
    const object = contents.objects.get(decodeURIComponent(name ?? ''))
    if (!object || searchParams.get('alt') !== 'media') return refuse(response, 404, 'notFound')
    const wanted = searchParams.get('ifGenerationMatch')
    if (wanted !== null && wanted !== String(object.generation)) return refuse(response, 412, 'conditionNotMet')
    return sendObject(request, response, object)
  }

  async function serveUpload(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
    if (request.method === 'POST') {
      const upload = await contents.begin(query.get('name') ?? '')
      const location = `${endpoint}/upload/storage/v1/b/${bucket}/o?uploadType=resumable&upload_id=${upload.id}`
      return response.writeHead(200, { location }).end()
    }
    const upload = contents.uploads.get(query.get('upload_id') ?? '')
    if (!upload) return refuse(response, 410, 'gone')
    if (request.method !== 'DELETE') return takePiece(request, response, contents, upload)
    await contents.drop(upload)
    return response.writeHead(499).end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const tokenUrl = `${endpoint}/token`
  return {
    port,
    endpoint,
    tokenUrl,
    bucket,
    account,
    stranger,
    requests,
    list: () => {
      const unfinished = [...contents.uploads.values()].filter(({ kept }) => kept > 0)
      return [...contents.objects.keys(), ...unfinished.map(({ name }) => `${name} (unfinished)`)].sort()
    },
    endTokens: () => desk.endAll(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
