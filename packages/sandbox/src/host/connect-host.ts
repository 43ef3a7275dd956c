import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallEnd } from '../instance.ts'
import type { JobFolder } from '../job-folder.ts'
import { openOutput } from '../open-output.ts'
import { type RunnerCalls, RunnerUnavailable, type ServeReport } from '../plan/open-runners.ts'
import type { RunEnd } from '../run.ts'
import type { Sandbox, SandboxReport } from '../sandbox.ts'
import { createFrameReader, type HostReply, type HostRequest, replySchema, toFrame } from './protocol.ts'
import { openHome, openRemoteFolder } from './remote-folder.ts'

/** The engine host is gone, with all that ran there. A task is to blame for no more than its own engine. */
export class EngineHostLost extends Error {
  override readonly name = 'EngineHostLost'
}

/** Where engines run: a sandbox and its warm runners, in this process or in another. */
export interface EngineHost extends Pick<Sandbox, 'level' | 'report' | 'createJobFolder' | 'run' | 'openOutput'> {
  readonly runners: RunnerCalls
}

export interface HostConnection {
  readonly path: string
  /** The folder of LATHE_SCRATCH_DIR, which the worker and the host share. */
  readonly scratchDir: string
  /** Called when the host is lost, and when it is back. */
  onChange?(isThere: boolean): void
  readonly onServe?: ServeReport
  /** Rejects when the host has ended for good. */
  readonly gone?: Promise<never>
}

interface Pending {
  readonly resolve: (done: Readonly<Record<string, unknown>>) => void
  readonly reject: (error: unknown) => void
  readonly hooks: Hooks
  readonly permits: Map<number, Disposable>
  /** The error with which the worker itself stopped this request. */
  refusal?: unknown
}

interface Hooks {
  readonly signal?: AbortSignal
  onLine?(line: string): void
  onProgress?(share: number): void
  takePermit?(signal: AbortSignal): Promise<Disposable>
}

type Hello = Extract<HostReply, { hello: unknown }>['hello']
type Reply = Exclude<HostReply, { hello: unknown } | { served: unknown }>
type End = Extract<Reply, { done: unknown } | { stopped: unknown } | { error: unknown }>
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
type Ask = Without<Extract<HostRequest, { op: 'folder' | 'remove' | 'run' | 'call' }>, 'id'>

const retryMs = 50
// A host that died starts again within seconds. A task that waits longer may run elsewhere.
const backWithinMs = 30_000

/** Connects to an engine host, waits until it serves, and reconnects whenever the connection is lost. */
export async function connectHost(at: HostConnection): Promise<EngineHost & AsyncDisposable> {
  const closing = new AbortController()
  let link: Link | undefined
  let back = Promise.withResolvers<Link>()

  async function keepConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      const next = await openLink(at).catch(() => undefined)
      if (!next) {
        await pause(retryMs, undefined, { signal: closing.signal }).catch(() => {})
        continue
      }
      link = next
      back.resolve(next)
      at.onChange?.(true)
      await next.ended
      link = undefined
      back = Promise.withResolvers<Link>()
      if (!closing.signal.aborted) at.onChange?.(false)
    }
  }

  const connected = keepConnected()
  const first = await Promise.race([back.promise, ...(at.gone ? [at.gone] : [])]).catch(async (error) => {
    closing.abort()
    throw error
  })

  async function linkNow(): Promise<Link> {
    if (link) return link
    const waited = await Promise.race([back.promise, pause(backWithinMs, undefined, { ref: false })])
    if (!waited) throw new EngineHostLost('the engine host does not come back')
    return waited
  }

  /** One host created the folder. Another host, started since, does not know it. */
  function linkOf(folder: JobFolder): Link {
    const own = folders.get(folder)
    if (!own || own !== link) throw new EngineHostLost('the engine host that made the folder is gone')
    return own
  }

  const folders = new WeakMap<JobFolder, Link>()
  const { lacking } = first.hello
  const runners: RunnerCalls = {
    lacking,
    async call(runner, owner, request, { folder, limits, signal, givesWay = false, onProgress, takePermit }) {
      if (lacking.includes(runner)) throw new RunnerUnavailable(runner)
      const hooks = { signal, ...(onProgress && { onProgress }), ...(takePermit && { takePermit }) }
      const permits = { takesPermits: takePermit !== undefined, givesWay }
      const ask = { runner, owner, request, limits, folder: nameOf(folder), ...permits }
      return (await linkOf(folder).ask({ op: 'call', ...ask }, hooks)) as unknown as CallEnd
    },
  }

  return {
    level: first.hello.level as Sandbox['level'],
    report: toReport(first.hello),
    runners,
    openOutput,
    async createJobFolder() {
      const own = await linkNow()
      const folder = await own.createFolder()
      folders.set(folder, own)
      return folder
    },
    async run({ program, args, modules, limits, profile }, { folder, signal, givesWay = false, onLine }) {
      const step = { program, args: [...args], limits, ...(modules && { modules }), ...(profile && { profile }) }
      const hooks = { signal, ...(onLine && { onLine }) }
      const stopped: RunEnd = { kind: 'killed', by: 'caller', stderr: '' }
      if (signal.aborted) return stopped
      return (await linkOf(folder).ask(
        { op: 'run', step, givesWay, folder: nameOf(folder) },
        hooks,
      )) as unknown as RunEnd
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      link?.socket.destroy()
      await connected
    },
  }
}

// Dates are sent as strings.
function toReport({ report }: Hello): SandboxReport {
  const { engineRootUpToDateAt, ...rest } = report as unknown as SandboxReport
  return { ...rest, engineRootUpToDateAt: new Date(engineRootUpToDateAt) }
}

const nameOf = (folder: JobFolder) => ('name' in folder ? String(folder.name) : basename(folder.path))

interface Link {
  readonly hello: Hello
  readonly socket: Socket
  readonly ended: Promise<void>
  createFolder(): Promise<JobFolder>
  /** Throws EngineHostLost if the host goes away, and the signal's reason on abort. */
  ask(ask: Ask, hooks: Hooks): Promise<Readonly<Record<string, unknown>>>
}

async function openLink({ path, scratchDir, onServe }: HostConnection): Promise<Link> {
  const socket = connect(path)
  await once(socket, 'connect')
  const pending = new Map<number, Pending>()
  const hello = Promise.withResolvers<Hello>()
  let count = 0
  const send = (request: HostRequest) => void (socket.writable && socket.write(toFrame(request)))

  async function giveTurn(id: number, nth: number, work: Pending): Promise<void> {
    const { takePermit, signal = new AbortController().signal } = work.hooks
    try {
      const turn = await takePermit?.(signal)
      if (!pending.has(id)) return turn?.[Symbol.dispose]()
      if (turn) work.permits.set(nth, turn)
      send({ id, op: 'turn', nth })
    } catch (error) {
      work.refusal ??= error
      send({ id, op: 'stop' })
    }
  }

  function releasePermits({ permits }: Pending): void {
    for (const turn of permits.values()) turn[Symbol.dispose]()
    permits.clear()
  }

  function take(reply: Reply): void {
    const work = pending.get(reply.id)
    if (!work) return
    if ('lines' in reply) for (const line of reply.lines) work.hooks.onLine?.(line)
    else if ('progress' in reply) work.hooks.onProgress?.(reply.progress)
    else if ('turn' in reply) takeTurnReply(reply, work)
    else settle(reply, work)
  }

  function takeTurnReply({ id, turn, nth }: Extract<Reply, { turn: unknown }>, work: Pending): void {
    if (turn === 'wanted') return void giveTurn(id, nth, work)
    work.permits.get(nth)?.[Symbol.dispose]()
    work.permits.delete(nth)
  }

  function settle(reply: End, work: Pending): void {
    pending.delete(reply.id)
    releasePermits(work)
    if ('done' in reply) work.resolve(reply.done)
    else if ('stopped' in reply) work.reject(work.refusal ?? work.hooks.signal?.reason ?? new Error('stopped'))
    else work.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
  }

  const read = createFrameReader(replySchema)
  socket.on('data', (chunk) => {
    try {
      for (const reply of read(chunk)) {
        if ('hello' in reply) hello.resolve(reply.hello)
        else if ('served' in reply) onServe?.(reply.served.runner, reply.served.by)
        else take(reply)
      }
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => {
    hello.reject(new EngineHostLost('the engine host closed the connection'))
    for (const work of pending.values()) {
      releasePermits(work)
      work.reject(work.refusal ?? new EngineHostLost('the engine host is gone'))
    }
    pending.clear()
  })

  async function ask(what: Ask, hooks: Hooks) {
    hooks.signal?.throwIfAborted()
    if (!socket.writable) throw new EngineHostLost('the engine host is gone')
    count += 1
    const id = count
    const { promise, resolve, reject } = Promise.withResolvers<Readonly<Record<string, unknown>>>()
    pending.set(id, { resolve, reject, hooks, permits: new Map() })
    const onAbort = () => send({ id, op: 'stop' })
    hooks.signal?.addEventListener('abort', onAbort, { once: true })
    send({ ...what, id } as HostRequest)
    return promise.finally(() => hooks.signal?.removeEventListener('abort', onAbort))
  }

  const said = await hello.promise
  // Only the name counts: the host cannot send the worker to another path.
  const home: FileHandle = await openHome(join(scratchDir, basename(said.home)))
  void ended.then(() => home.close())

  return {
    hello: said,
    socket,
    ended,
    ask,
    async createFolder() {
      const { folder } = await ask({ op: 'folder' }, {})
      const name = String(folder)
      // A host that is gone has removed its folders, or its successor removes them.
      const remove = async () => void (await ask({ op: 'remove', folder: name }, {}).catch(ignoreLost))
      return openRemoteFolder(home, basename(name), remove)
    },
  }
}

function ignoreLost(error: unknown): undefined {
  if (!(error instanceof EngineHostLost)) throw error
}
