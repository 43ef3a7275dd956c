import type { Socket } from 'node:net'
import type { RunnerCalls, ServeReport } from '../plan/open-runners.ts'
import type { ProcessStep } from '../run.ts'
import type { Sandbox } from '../sandbox.ts'
import { createHostFolders, letWorkerRead } from './host-folders.ts'
import { createFrameReader, type HostReply, type HostRequest, requestSchema, toFrame } from './protocol.ts'

/** The parts with which an engine host serves. */
export interface HostParts {
  readonly sandbox: Sandbox
  readonly runners: RunnerCalls
  /** Reports how each call of a runner was served. */
  watchServed?(tell: ServeReport): void
}

type Ask = Extract<HostRequest, { op: 'folder' | 'remove' | 'run' | 'call' }>
type Call = Extract<HostRequest, { op: 'call' }>

interface Work {
  readonly stop: AbortController
  readonly permits: Map<number, () => void>
}

// Lines beyond this are dropped: progress that the worker does not read must not fill the host's memory.
const mostUnsentBytes = 4 * 1024 ** 2

/** Serves one worker until its connection ends. Then kills everything that runs for it and removes its folders. */
export async function serveHost({ sandbox, runners, watchServed }: HostParts, socket: Socket): Promise<void> {
  const works = new Map<number, Work>()
  const running = new Set<Promise<void>>()
  await using folders = createHostFolders(sandbox)
  const isSplit = sandbox.host.identity !== undefined
  const send = (reply: HostReply) => void (socket.writable && socket.write(toFrame(reply)))

  async function call(ask: Call, { stop, permits }: Work): Promise<Record<string, unknown>> {
    const { id, folder, limits, owner, request, givesWay } = ask
    let asked = 0
    const takePermit = async (signal: AbortSignal) => {
      asked += 1
      const nth = asked
      const given = Promise.withResolvers<void>()
      permits.set(nth, given.resolve)
      const onAbort = () => given.reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      send({ id, turn: 'wanted', nth })
      await given.promise.finally(() => signal.removeEventListener('abort', onAbort))
      return { [Symbol.dispose]: () => send({ id, turn: 'over', nth }) }
    }
    const onProgress = (progress: number) => send({ id, progress: Math.min(Math.max(progress, 0), 1) })
    const options = { folder: folders.get(folder), limits, signal: stop.signal, givesWay, onProgress }
    return {
      ...(await runners.call(ask.runner, owner, request, { ...options, ...(ask.takesPermits && { takePermit }) })),
    }
  }

  function lineSender(id: number): (line: string) => void {
    let lines: string[] = []
    return (line) => {
      if (socket.writableLength > mostUnsentBytes) return
      if (lines.length === 0) {
        queueMicrotask(() => {
          send({ id, lines })
          lines = []
        })
      }
      lines.push(line)
    }
  }

  async function answer(ask: Ask, work: Work): Promise<Record<string, unknown>> {
    if (ask.op === 'folder') return { folder: await folders.create() }
    if (ask.op === 'remove') {
      await folders.remove(ask.folder)
      return {}
    }
    const folder = folders.get(ask.folder)
    try {
      if (ask.op === 'call') return await call(ask, work)
      const { step, givesWay, id } = ask
      const options = { folder, givesWay, signal: work.stop.signal, onLine: lineSender(id) }
      return { ...(await sandbox.run(step as ProcessStep, options)) }
    } finally {
      if (isSplit) await letWorkerRead(folder).catch(() => {})
    }
  }

  async function serve(ask: Ask): Promise<void> {
    const { id } = ask
    const work: Work = { stop: new AbortController(), permits: new Map() }
    works.set(id, work)
    try {
      const done = await answer(ask, work)
      send({ id, done })
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      if (work.stop.signal.aborted) send({ id, stopped: true })
      else send({ id, error: { message: String(message), ...(typeof code === 'string' && { code }) } })
    } finally {
      works.delete(id)
    }
  }

  function take(request: HostRequest): void {
    const work = works.get(request.id)
    if (request.op === 'stop') work?.stop.abort(new Error('stopped by the worker'))
    else if (request.op === 'turn') work?.permits.get(request.nth)?.()
    else if (work) throw new Error('a request has the number of another one')
    else begin(request)
  }

  function begin(ask: Ask): void {
    const serving = serve(ask)
    running.add(serving)
    void serving.finally(() => running.delete(serving))
  }

  const read = createFrameReader(requestSchema)
  socket.on('data', (chunk) => {
    try {
      for (const request of read(chunk)) take(request)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  // Why the connection ended does not matter: there is no one left to report it to.
  socket.on('error', () => {})
  const { level, report, scratch } = sandbox
  send({ hello: { level, home: scratch.name, report: { ...report }, lacking: [...runners.lacking] } })
  watchServed?.((runner, by) => send({ served: { runner, by } }))
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  for (const { stop } of works.values()) stop.abort(new Error('the worker is gone'))
  await Promise.all(running)
}
