import type { Socket } from 'node:net'
import { inspect } from 'node:util'
import { type Failure, isFailure } from '@lathe/domain'
import { createOutbound, type Outbound, type OutboundLimits } from '@lathe/outbound'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Exporter, Importer } from '../connector.ts'
import { dialTo } from './dial-to.ts'
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { makeBytes, makeExportContext, makeExportFile, makeImportContext, sha256Of } from './transfer-contexts.ts'

/** The credentials in a payload: valid ones, wrong ones, or valid ones without access to the file. */
export type Access = 'allowed' | 'wrong' | 'forbidden'

type Payload = Readonly<Record<string, unknown>>

/** A connector's importer and exporter, and the real server on loopback for their tests. */
export interface ConnectorUnderTest extends AsyncDisposable {
  /** The port of the server. Whatever host and port the payload names, the suite's connections end there. */
  readonly port: number
  /** Texts that no failure and no error may contain. */
  readonly secrets: readonly string[]
  importer(outbound: Outbound): Importer
  exporter(outbound: Outbound): Exporter
  /** The payload to import from a path, or to export to it. With `forbidden` the connector may choose the path. */
  payload(path: string, access: Access): Payload
  /** Everything on the server, including parts of unfinished uploads. */
  list(): Promise<readonly string[]>
}

interface RunOptions {
  readonly fault?: Fault
  readonly access?: Access
  readonly signal?: AbortSignal
  readonly maxSize?: number
  readonly limits?: Partial<OutboundLimits>
}

const MB = 1_000_000
const large = 5 * MB

/** The tests that every storage connector must pass. The test file of each passes a function that opens it. */
export function testConnector(name: string, open: () => Promise<ConnectorUnderTest>): void {
  describe(`${name} keeps the connector contract`, () => {
    let connector: ConnectorUnderTest
    let proxy: FaultProxy
    const connections = new Set<Socket>()
    beforeAll(async () => {
      connector = await open()
      proxy = await startFaultProxy(connector.port)
    })
    afterAll(async () => {
      await proxy?.[Symbol.asyncDispose]()
      await connector?.[Symbol.asyncDispose]()
    })

    /** Runs with an Outbound whose connections all go through the proxy. Returns the result or the thrown error. */
    async function through<T>(options: RunOptions, work: (outbound: Outbound) => Promise<T>): Promise<T | Error> {
      const config = { allow: ['127.0.0.1/32'], limits: options.limits ?? {} }
      await using outbound = createOutbound(config, { connect: dialTo(proxy.port, connections) })
      proxy.plan(options.fault)
      try {
        const end = await work(outbound)
        expectNoSecret(end)
        return end
      } catch (error) {
        expectNoSecret(error)
        return error as Error
      }
    }

    function expectNoSecret(end: unknown): void {
      const shown = `${String(end)} ${JSON.stringify(end)} ${inspect(end, { depth: 12, showHidden: true })}`
      for (const secret of connector.secrets) expect(shown.includes(secret), 'a secret is shown').toBe(false)
    }

    async function importFrom(path: string, options: RunOptions = {}) {
      const { signal, maxSize, access = 'allowed' } = options
      const { context, kept, shares } = makeImportContext({ ...(signal && { signal }), ...(maxSize && { maxSize }) })
      const run = (outbound: Outbound) => connector.importer(outbound).run(connector.payload(path, access), context)
      return { end: await through(options, run), kept, shares }
    }

    async function exportTo(path: string, bytes: Buffer, options: RunOptions = {}) {
      const file = makeExportFile('file.bin', bytes)
      const { context, shares } = makeExportContext([file], options.signal)
      const payload = connector.payload(path, options.access ?? 'allowed')
      const end = await through(options, (outbound) => connector.exporter(outbound).run(payload, context))
      return { end, file, shares }
    }

    /** Uploads a large file to import later. */
    async function place(path: string): Promise<Buffer> {
      const bytes = makeBytes(large)
      const { end } = await exportTo(path, bytes)
      expect(end, 'the file to import').toMatchObject([{ size: large }])
      return bytes
    }

    function expectFailure(end: unknown, code: Failure['code']): void {
      expect(isFailure(end) ? end.code : end).toBe(code)
    }

    describe('a file', () => {
      it.each([0, 1, large])('of %d bytes is exported and imported unchanged [D-store-01]', async (size) => {
        const bytes = makeBytes(size)
        const path = `round/trip ${size}.bin`
        const { end } = await exportTo(path, bytes)
        const sha256 = sha256Of(bytes)
        expect(end).toEqual([{ path, size, sha256 }])
        expect(await importFrom(path)).toMatchObject({
          end: undefined,
          kept: [{ filename: `trip ${size}.bin`, size, sha256 }],
        })
        expect(await connector.list()).toContain(path)
        await expect.poll(() => connections.size, { timeout: 20_000 }).toBe(0)
      })

      it('replaces an older one', async () => {
        await exportTo('replaced.bin', Buffer.from('old'))
        await exportTo('replaced.bin', Buffer.from('newer'))
        expect((await importFrom('replaced.bin')).kept).toMatchObject([{ sha256: sha256Of(Buffer.from('newer')) }])
      })

      it('may have an unusual name', async () => {
        const path = 'Größe/50% & more+this #1?.bin'
        expect((await exportTo(path, Buffer.from('odd'))).end).toMatchObject([{ path }])
        expect((await importFrom(path)).kept).toMatchObject([{ filename: '50% & more+this #1?.bin' }])
      })

      it('reports its progress up to the end, for import and export', async () => {
        const { shares } = await exportTo('progress.bin', makeBytes(large))
        const all = [shares, (await importFrom('progress.bin')).shares]
        for (const reported of all) {
          expect(reported.at(-1)).toBe(1)
          expect(reported).toEqual(reported.toSorted((a, b) => a - b))
        }
      })

      it('larger than its task may take is refused before it is fetched', async () => {
        await place('limit.bin')
        const { end, kept } = await importFrom('limit.bin', { maxSize: large - 1 })
        expectFailure(end, 'limit_exceeded')
        expect(kept).toEqual([])
        expect((await importFrom('limit.bin', { maxSize: large })).kept).toHaveLength(1)
      })
    })

    describe('a refusal [D-store-05]', () => {
      it('of wrong credentials is source_unauthorized', async () => {
        await exportTo('wrong.bin', Buffer.from('here'))
        expectFailure((await importFrom('wrong.bin', { access: 'wrong' })).end, 'source_unauthorized')
        expectFailure(
          (await exportTo('by-wrong.bin', makeBytes(large), { access: 'wrong' })).end,
          'source_unauthorized',
        )
        expect(await connector.list()).not.toContain('by-wrong.bin')
      })

      it('of a permission is source_forbidden', async () => {
        expectFailure((await importFrom('forbidden.bin', { access: 'forbidden' })).end, 'source_forbidden')
        const { end } = await exportTo('forbidden.bin', makeBytes(large), { access: 'forbidden' })
        expectFailure(end, 'source_forbidden')
      })

      it('of a file that is not there is source_not_found', async () => {
        const { end, kept } = await importFrom('no/such/file.bin')
        expectFailure(end, 'source_not_found')
        expect(kept).toEqual([])
      })
    })

    describe('a connection', () => {
      const half = Math.floor(large / 2)

      it('that is lost once during an import is reopened [D-store-02]', async () => {
        const bytes = await place('cut-import.bin')
        const { end, kept } = await importFrom('cut-import.bin', { fault: { kind: 'cut', after: half, times: 1 } })
        expect(proxy.hits()).toBe(1)
        expect({ end, kept }).toMatchObject({ end: undefined, kept: [{ size: large, sha256: sha256Of(bytes) }] })
      })

      it('that is lost once during an export is reopened [D-store-02]', async () => {
        const bytes = makeBytes(large)
        const { end } = await exportTo('cut-export.bin', bytes, { fault: { kind: 'cut', after: half, times: 1 } })
        expect(proxy.hits()).toBe(1)
        expect(end).toMatchObject([{ path: 'cut-export.bin' }])
        expect((await importFrom('cut-export.bin')).kept).toMatchObject([{ sha256: sha256Of(bytes) }])
      })

      it('that is lost each time ends an import as source_unreachable, with nothing saved [D-store-02]', async () => {
        await place('always-cut.bin')
        const { end, kept } = await importFrom('always-cut.bin', { fault: { kind: 'cut', after: half } })
        expectFailure(end, 'source_unreachable')
        expect(kept).toEqual([])
      })

      it('that is lost each time ends an export as source_unreachable, with nothing left behind [D-store-03]', async () => {
        const before = await connector.list()
        const { end } = await exportTo('never.bin', makeBytes(large), { fault: { kind: 'cut', after: half } })
        expectFailure(end, 'source_unreachable')
        await expect.poll(() => connector.list(), { timeout: 20_000 }).toEqual(before)
      })

      it('that stalls ends as source_unreachable, for import and export [D-store-04]', async () => {
        await place('stalled.bin')
        const before = await connector.list()
        const options = { fault: { kind: 'stall', after: half }, limits: { idleMs: 250 } } as const
        const { end, kept } = await importFrom('stalled.bin', options)
        expectFailure(end, 'source_unreachable')
        expect(kept).toEqual([])
        expectFailure((await exportTo('stalls.bin', makeBytes(large), options)).end, 'source_unreachable')
        await expect.poll(() => connector.list(), { timeout: 20_000 }).toEqual(before)
      })

      it('is closed when the task is stopped, and leaves nothing [D-store-03]', async () => {
        await place('stopped.bin')
        const before = await connector.list()
        for (const run of [importFrom, (path: string, more: RunOptions) => exportTo(path, makeBytes(large), more)]) {
          const stopping = new AbortController()
          const reason = new Error('the task was canceled')
          const fault = { kind: 'stall', after: half } as const
          const running = run('stopped.bin', { fault, signal: stopping.signal })
          await expect.poll(() => proxy.hits(), { timeout: 20_000 }).toBeGreaterThan(0)
          stopping.abort(reason)
          expect((await running).end).toBe(reason)
          await expect.poll(() => connections.size, { timeout: 20_000 }).toBe(0)
        }
        await expect.poll(() => connector.list(), { timeout: 20_000 }).toEqual(before)
      })
    })
  })
}
