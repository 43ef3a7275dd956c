import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from '@lathe/runtime'
import {
  connectHost,
  createSandbox,
  type EngineHost,
  type HostUsers,
  openRunners,
  type ServeReport,
  startHost,
} from '@lathe/sandbox'
import type { WorkerConfig } from './config.ts'
import { provePolicies } from './prove-policies.ts'

/** The engine host of a worker. */
export interface OpenedHost extends AsyncDisposable {
  readonly host: EngineHost
  /** Rejects when the host has ended for good. */
  readonly gone: Promise<never>
}

export interface OpenHostOptions {
  readonly log: Logger
  onChange(isThere: boolean): void
  readonly onServe: ServeReport
}

const program = fileURLToPath(new URL('./engine-host/main.ts', import.meta.url))

/** Opens the engines as configured: in this process, in a process of their own, or in one that already runs. */
export function openEngineHost(config: WorkerConfig, options: OpenHostOptions): Promise<OpenedHost> {
  const { kind, socket } = config.engineHost
  return kind === 'inside' && socket === undefined ? openInside(config, options) : openOutside(config, options)
}

async function openInside(
  { sandbox: settings, work }: WorkerConfig,
  { onServe }: OpenHostOptions,
): Promise<OpenedHost> {
  await using stack = new AsyncDisposableStack()
  const sandbox = stack.use(await createSandbox(settings))
  const runners = stack.use(await openRunners(sandbox, { ...work, onServe }))
  await provePolicies({ sandbox, runners })
  const all = stack.move()
  const gone = new Promise<never>(() => {})
  return { host: { ...sandbox, runners }, gone, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/**
 * Starts an engine host, or connects to one that runs. A worker that was started as root has dropped its privileges
 * when this returns: the host has them, in its own namespaces.
 */
async function openOutside(config: WorkerConfig, { log, onChange, onServe }: OpenHostOptions): Promise<OpenedHost> {
  await using stack = new AsyncDisposableStack()
  const { scratchDir } = config.sandbox
  const isRoot = process.getuid?.() === 0
  const users = isRoot ? await usersOf(config, log) : undefined
  const given = config.engineHost.socket
  const path = given ?? join(scratchDir, `engine-host-${process.pid}.sock`)
  const started = given === undefined ? stack.use(await startOwn(config, path, users)) : undefined
  if (started && !started.isApart) log.warn('engine host has no namespaces of its own and can use the network')
  if (users?.worker) dropRights(users.sandbox, users.worker)
  const gone = started?.gone ?? new Promise<never>(() => {})
  const host = stack.use(await connectHost({ path, scratchDir, onChange, onServe, gone }))
  const all = stack.move()
  return { host, gone, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

function startOwn({ engineHost, sandbox }: WorkerConfig, path: string, users: HostUsers | undefined) {
  const env = {
    ...engineHost.env,
    ENGINE_HOST_CHILD: '1',
    ENGINE_HOST_SOCKET: path,
    ...(users?.worker && { ENGINE_HOST_GID: String(users.worker) }),
  }
  return startHost({ command: [process.execPath, program], env, scratchDir: sandbox.scratchDir, users })
}

async function usersOf({ engineHost, sandbox, storage }: WorkerConfig, log: Logger): Promise<HostUsers> {
  const users = { host: engineHost.uid, sandbox: sandbox.uid, worker: engineHost.workerUid }
  if (storage.kind !== 'disk') return users
  // The worker becomes the owner of the storage folder, so that it can write files there.
  const uid = await ownerOf(storage.dir)
  if (uid === 0) log.warn({ dir: storage.dir }, 'worker keeps running as root because root owns the storage folder')
  return { ...users, worker: uid || undefined }
}

/** A folder that is not there yet will belong to the user who makes it: root. */
async function ownerOf(folder: string): Promise<number> {
  const { uid } = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return { uid: 0 }
  })
  return uid
}

/** Makes this process an ordinary user for good. It stays in the sandbox's group, to write and remove files there. */
function dropRights(sandbox: number, worker: number): void {
  process.setgroups?.([sandbox])
  process.setgid?.(worker)
  process.setuid?.(worker)
}
