import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Failure, failure } from '@lathe/domain'
import { beyondDisk, beyondMemory } from './beyond-limit.ts'
import { type Answer, createConversation } from './conversation.ts'
import type { JobFolder } from './job-folder.ts'
import { profileOf } from './profiles.ts'
import { type RunHost, roomFor, type StepLimits } from './run.ts'
import type { JsonObject } from './runner-protocol.ts'
import type { Scratch } from './scratch.ts'
import { type Host, type SandboxedProcess, startProcess } from './start-process.ts'
import { takeBack } from './take-back.ts'
import { isOutgrown, watchFolder } from './watch-folder.ts'
import { watchLife } from './watch-life.ts'

export interface InstanceParts {
  readonly host: Host & RunHost
  readonly scratch: Scratch
  /** The folder of installed runner scripts. */
  readonly runners: string
  readonly runner: string
  /** The command that starts the runner inside. */
  readonly command: readonly string[]
  readonly start: StartLimits
}

/** The limits of a runner until it can serve. Each call sets its own limits. */
export interface StartLimits {
  readonly timeMs: number
  readonly memoryBytes: number
}

export interface CallOptions {
  readonly folder: JobFolder
  readonly limits: StepLimits
  readonly signal: AbortSignal
  /** Whether it gives way to other engines on the cores. */
  readonly givesWay?: boolean
  onProgress?(share: number): void
  /** Waits until an engine may run. Called once an instance is ready, so that no permit is held while one starts. */
  takePermit?(signal: AbortSignal): Promise<Disposable>
}

export type CallEnd = { readonly kind: 'done'; readonly result: JsonObject } | Failure

/** The instance ended, or found itself unfit, before it began the call: any other instance can serve it. */
export interface Unserved {
  readonly kind: 'unserved'
  readonly detail: string
}

/** A runner that was started ahead of time and waits in its sandbox. */
export interface Instance {
  /** Serves one request. When it fails, all processes of the instance are gone. Throws the signal's reason on abort. */
  call(request: JsonObject, options: CallOptions): Promise<CallEnd | Unserved>
  /** The memory it uses now; undefined where it is not measured. */
  memoryInUse(): Promise<number | undefined>
  kill(): void
  /** Settles when all its processes are gone. */
  readonly ended: Promise<unknown>
  /** Settles when its folder is gone as well. */
  readonly gone: Promise<void>
}

/** Starts an instance and waits until it can serve; throws if it cannot. */
export async function startInstance(parts: InstanceParts, signal: AbortSignal): Promise<Instance> {
  const { host, scratch, runners, runner, command, start } = parts
  // The sandbox may pass through this folder but not change it, so it cannot swap a job's folder for a link.
  const home = await scratch.createPassage('instance')
  const limits = { memoryBytes: start.memoryBytes, fileBytes: host.fileBytes }
  const process = await startProcess(host, {
    profile: profileOf(runner),
    folder: home,
    runners,
    command,
    ...limits,
    stdin: 'pipe',
  })
  const conversation = createConversation(process)
  const kill = () => process.kill()
  const timer = setTimeout(kill, start.timeMs)
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  const isReady = await conversation.ready
  clearTimeout(timer)
  signal.removeEventListener('abort', kill)
  if (!isReady) {
    await scratch.remove(home)
    throw new Error(`the ${runner} runner did not start: ${process.stderr.text().trim().slice(-2000)}`)
  }
  return toInstance(parts, home, process, conversation)
}

function toInstance(
  { host, scratch, start }: InstanceParts,
  home: string,
  process: SandboxedProcess,
  conversation: ReturnType<typeof createConversation>,
): Instance {
  let id = 0
  let { memoryBytes } = start
  let last: Promise<unknown> = Promise.resolve()

  async function setMemory(bytes: number): Promise<void> {
    if (bytes === memoryBytes) return
    memoryBytes = bytes
    // The kernel refuses a limit below the memory in use. The previous limit then stays.
    await process.setMemory(bytes).catch(() => {})
  }

  async function serve(request: JsonObject, options: CallOptions): Promise<CallEnd | Unserved> {
    const { folder, limits, givesWay = false } = options
    const [room] = await Promise.all([
      roomFor(folder, limits, host),
      setMemory(limits.memoryBytes),
      process.beginWork(givesWay),
    ])
    id += 1
    const inside = join(home, String(id))
    const moved = await rename(folder.path, inside).catch((error: Error) => error)
    if (moved) return endWith(failure('internal', { detail: `the job folder cannot be handed over: ${moved.message}` }))
    let reported = 0
    const onProgress = (share: number) => {
      reported += 1
      options.onProgress?.(share)
    }
    const ask = () => conversation.ask({ id, dir: `/job/${id}`, request, onProgress })
    const { answer, killer } = await askWithin(process, ask, { inside, room, reported: () => reported, ...options })
    if (answer.kind !== 'done' || killer) await endAll()
    const [back] = await Promise.all([takeBack(inside, folder), process.endWork()])
    if (killer === 'caller') throw options.signal.reason
    return back
      ? toCallEnd(answer, killer, { ...limits, entries: host.entries })
      : endWith(failure('engine_crashed', { detail: 'the job folder was tampered with' }))
  }

  async function endAll(): Promise<void> {
    process.kill()
    await process.ended
  }

  async function endWith(end: Failure): Promise<Failure> {
    await endAll()
    return end
  }

  return {
    call(request, options) {
      options.signal.throwIfAborted()
      // The instance's folder is being removed: the job's folder must not be moved there.
      if (process.hasExited()) return Promise.resolve({ kind: 'unserved', detail: 'the runner had ended' })
      const serving = serve(request, options)
      last = serving.catch(() => {})
      return serving
    },
    memoryInUse: () => process.memoryInUse(),
    kill: () => process.kill(),
    ended: process.ended,
    // A call that is being ended still has to move its folder back.
    gone: process.ended.then(() => last).then(() => scratch.remove(home)),
  }
}

type Killer = 'time' | 'silence' | 'caller' | 'disk'

interface Watched extends CallOptions {
  readonly inside: string
  readonly room: { readonly bytes: number; readonly entries: number }
  readonly reported: () => number
}

async function askWithin(process: SandboxedProcess, ask: () => Promise<Answer>, watched: Watched) {
  let killer: Killer | undefined
  const stop = (by: Killer) => {
    killer ??= by
    process.kill()
  }
  const { signal, limits, inside, reported } = watched
  const onAbort = () => stop('caller')
  const timer = setTimeout(() => stop('time'), limits.timeMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const { firstPid } = process
  using _disk = watchFolder({ path: inside, limits: watched.room, firstPid, onExceeded: () => stop('disk') })
  using _silence = watchLife(process, { limits, path: inside, reported, onSilent: () => stop('silence') })
  const answer = await ask()
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  if (await isOutgrown(inside, watched.room)) stop('disk')
  return { answer, killer }
}

function toCallEnd(
  answer: Answer,
  killer: Killer | undefined,
  { memoryBytes, outputBytes, entries }: StepLimits & Pick<RunHost, 'entries'>,
): CallEnd | Unserved {
  if (killer === 'time' || killer === 'silence') return failure('engine_timeout', { detail: killer })
  if (killer === 'disk') {
    const text = beyondDisk({ bytes: outputBytes, entries })
    return failure('limit_exceeded', { text, detail: 'the job folder outgrew its limits' })
  }
  if (answer.kind === 'done') return { kind: 'done', result: answer.result }
  if (answer.kind === 'failed') return answer.failure
  if (answer.isUnserved) return { kind: 'unserved', detail: answer.detail }
  const { detail } = answer
  if (answer.outOfMemory) return failure('limit_exceeded', { text: beyondMemory(memoryBytes), detail })
  return failure('engine_crashed', { detail })
}
