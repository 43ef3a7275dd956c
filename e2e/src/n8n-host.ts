import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { buildN8n } from '../../scripts/packages/build-n8n.ts'

type Values = Readonly<Record<string, unknown>>

interface Binary {
  readonly id: string
  readonly data: string
  readonly mimeType: string
  readonly fileName: string
}

export interface Item {
  readonly json: Values
  readonly binary?: Readonly<Record<string, Binary>>
  readonly pairedItem?: unknown
}

interface Request {
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly qs?: Record<string, string>
  readonly body?: unknown
  readonly json?: boolean
  readonly encoding?: string
}

interface Settings {
  readonly parameters: Values
  readonly items?: readonly Item[]
  readonly continueOnFail?: boolean
  readonly resumeUrl?: string
  readonly webhookUrl?: string
  readonly staticData?: Record<string, unknown>
  readonly delivery?: { readonly headers: object; readonly body: string }
}

// The imports of the nodes from n8n, whose license does not allow it as a dependency.
const n8nWorkflow = `
class NodeApiError extends Error {
  constructor(node, error, options = {}) { super(options.message ?? error.message); Object.assign(this, options) }
}
class NodeOperationError extends Error {
  constructor(node, error, options = {}) { super(error.message ?? error); Object.assign(this, options) }
}
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
module.exports = { NodeApiError, NodeOperationError, sleep, NodeConnectionTypes: { Main: 'main' }, WAIT_INDEFINITELY: new Date(8.64e15) }
`

/**
 * The part of n8n that its nodes need: loads the built package, and runs its nodes with parameters, files and a
 * credential.
 */
export async function createN8nHost(
  folder: string,
  credentials: { readonly baseUrl: string; readonly apiKey: string },
) {
  const root = join(folder, 'node_modules/n8n-nodes-lathe')
  await buildN8n(root)
  mkdirSync(join(folder, 'node_modules/n8n-workflow'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/n8n-workflow/index.js'), n8nWorkflow)
  const load = createRequire(join(root, 'package.json'))
  const files = new Map<string, Buffer>()
  const lostAnswers: true[] = []

  function store(content: Buffer, fileName: string): Binary {
    const id = `file-${files.size}`
    files.set(id, content)
    return { id, data: 'filesystem', mimeType: 'application/octet-stream', fileName }
  }

  const helpers = {
    httpRequest: send,
    // Like n8n: with the context as `this`, which the nodes must pass on.
    async httpRequestWithAuthentication(this: { isContext?: true }, _type: string, { headers, ...request }: Request) {
      if (!this.isContext) throw new Error('called without a context')
      const answer = await send({ ...request, headers: { ...headers, authorization: `Bearer ${credentials.apiKey}` } })
      if (request.method === 'POST' && lostAnswers.shift()) throw new Error('socket hang up')
      return answer
    },
    getBinaryStream: async (id: string) => Readable.from(piecesOf(files.get(id) ?? Buffer.alloc(0))),
    getBinaryMetadata: async (id: string) => ({ fileSize: files.get(id)?.length ?? 0 }),
    prepareBinaryData: async (content: Readable, fileName: string) => store(await buffer(content), fileName),
  }

  /** The `this` of a node. */
  function createContext({ parameters, items = [], staticData = {}, delivery, ...settings }: Settings) {
    const answered: { status?: number; waits?: Date } = {}
    const context = {
      isContext: true,
      answered,
      helpers: {
        ...helpers,
        assertBinaryData(item: number, field: string) {
          const found = items[item]?.binary?.[field]
          if (!found) throw new Error(`The item has no binary field '${field}'`)
          return found
        },
      },
      getNode: () => ({ id: 'node', name: 'Lathe', continueOnFail: settings.continueOnFail ?? false }),
      getCredentials: async () => credentials,
      getInputData: () => items,
      getNodeParameter: (name: string) => parameters[name] ?? {},
      getCurrentNodeParameter: (name: string) => parameters[name],
      continueOnFail: () => settings.continueOnFail ?? false,
      evaluateExpression: () => settings.resumeUrl,
      putExecutionToWait: async (till: Date) => void Object.assign(answered, { waits: till }),
      getNodeWebhookUrl: () => settings.webhookUrl,
      getWorkflowStaticData: () => staticData,
      getHeaderData: () => delivery?.headers,
      getRequestObject: () => ({ rawBody: Buffer.from(delivery?.body ?? '') }),
      getResponseObject: () => ({
        status(code: number) {
          answered.status = code
          return { json: () => undefined }
        },
      }),
    }
    return context
  }

  return {
    about: load('./package.json') as { n8n: { nodes: string[]; credentials: string[] } },
    load: (path: string) => load(`./${path}`) as Record<string, new () => unknown>,
    createContext,
    /** The next POST is executed, but the client gets no response. */
    loseAnswer: () => void lostAnswers.push(true),
    store,
    contentOf: (item: Item | undefined, field = 'data') =>
      files.get(item?.binary?.[field]?.id ?? '') ?? Buffer.alloc(0),
  }
}

async function send({ url, method = 'GET', headers = {}, qs = {}, body, json, encoding }: Request) {
  const target = new URL(url)
  for (const [name, value] of Object.entries(qs)) target.searchParams.set(name, value)
  const isJson = json === true && body !== undefined
  const response = await fetch(target, {
    method,
    headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Buffer<ArrayBuffer>) }),
  })
  const isStream = encoding === 'stream' && response.body
  const content = isStream ? Readable.from(response.body ?? []) : await response.text()
  const answer = typeof content === 'string' && content.startsWith('{') ? JSON.parse(content) : content
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: answer }
}

function* piecesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}
