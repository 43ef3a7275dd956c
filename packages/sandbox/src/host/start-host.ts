import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readlink, stat, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { delegateCgroup } from '../cgroup.ts'
import { programs } from '../launch-command.ts'
import { SandboxUnavailable } from '../sandbox.ts'

/** The uids in use when the worker was started as root. */
export interface HostUsers {
  /** The uid outside the user namespace of the host's root. */
  readonly host: number
  /** The uid of engines, both inside and outside. */
  readonly sandbox: number
  /** The uid of the worker after it dropped its privileges; its group may connect. Undefined if it stays root. */
  readonly worker: number | undefined
}

export interface HostStart {
  /** The command of the host itself. */
  readonly command: readonly [string, ...string[]]
  /** The complete environment of the host. */
  readonly env: Readonly<Record<string, string>>
  readonly scratchDir: string
  /** Undefined where the worker is not root: the host is then the same user, in its own user namespace. */
  readonly users: HostUsers | undefined
}

export interface StartedHost extends AsyncDisposable {
  readonly pid: number
  /** Whether it has its own namespaces. Without them it has a network. */
  readonly isApart: boolean
  /** Rejects when the host ended for good without being stopped. */
  readonly gone: Promise<never>
}

/** The exit status where engines cannot be isolated: EX_CONFIG of sysexits.h. Restarting does not help. */
export const unavailableExit = 78

// Waits until its user namespace is set up, then restarts the host whenever it ends: no privileged process is left to
// do so. Only the worker stops it, by closing the pipe. Signals to the whole process group are meant for the worker.
const keepRunning = `trap '' INT TERM HUP
read -r _
until "$@"; do
  [ $? = ${unavailableExit} ] && exit ${unavailableExit}
  sleep 0.2
done`

/**
 * Starts an engine host in an empty network namespace and in a user namespace, so that it has rights over nothing but
 * its engines. If the worker is root, the host is root in that namespace, and outside it a user that owns nothing.
 */
export async function startHost({ command, env, scratchDir, users }: HostStart): Promise<StartedHost> {
  const loop = [programs.sh, '-c', keepRunning, 'engine-host', ...command]
  const isApart = users !== undefined || (await canUnshare())
  const map = users ? [] : ['--map-current-user']
  const [program = '', ...args] = isApart ? [programs.unshare, '--user', ...map, '--net', ...loop] : loop
  if (users) await openScratchTo(scratchDir, users)
  const joins = users ? await delegateCgroup(users.host) : []
  const identity = users ? { uid: users.host, gid: users.host } : {}
  const child = spawn(program, args, { cwd: '/', env: { ...env }, stdio: ['pipe', 'inherit', 'inherit'], ...identity })
  child.stdin?.on('error', () => {})
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  try {
    for (const file of joins) await writeFile(file, String(pid))
    if (users) await mapUsers(pid, users)
  } catch (error) {
    child.kill('SIGKILL')
    const advice = users ? '. Start the worker as an ordinary user, as in the images, or set ENGINE_HOST=inside' : ''
    const why = `the engine host cannot be set up: ${(error as Error).message}${advice}`
    throw new SandboxUnavailable(why, { cause: error })
  }
  child.stdin?.write('go\n')
  let isStopping = false
  const gone = ended.then(() => (isStopping ? new Promise<never>(() => {}) : Promise.reject(endOf(child))))
  gone.catch(() => {})
  return {
    pid,
    isApart,
    gone,
    async [Symbol.asyncDispose]() {
      isStopping = true
      child.stdin?.end()
      await ended
    },
  }
}

function endOf({ exitCode, signalCode }: ChildProcess): Error {
  if (exitCode === unavailableExit) return new SandboxUnavailable('the engine host cannot isolate engines here')
  return new Error(`the engine host has ended: ${signalCode ?? exitCode}`)
}

async function canUnshare(): Promise<boolean> {
  const child = spawn(programs.unshare, ['--user', '--map-current-user', '--net', '/bin/true'], {
    env: {},
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit').catch(() => [1])
  return code === 0
}

const namespaceOf = (pid: number | 'self') => readlink(`/proc/${pid}/ns/user`)

/** Maps the users inside to those outside: two users, and the worker's group. */
async function mapUsers(pid: number, { host, sandbox, worker }: HostUsers): Promise<void> {
  const outside = await namespaceOf('self')
  for (const limit = performance.now() + 10_000; (await namespaceOf(pid)) === outside; ) {
    if (performance.now() > limit) throw new Error('it got no user namespace')
    await pause(2)
  }
  const one = (inside: number, id: number) => `${inside} ${id} 1\n`
  await writeFile(`/proc/${pid}/uid_map`, one(0, host) + one(sandbox, sandbox))
  await writeFile(`/proc/${pid}/gid_map`, one(0, host) + one(sandbox, sandbox) + (worker ? one(worker, worker) : ''))
}

const writableByAll = 0o002

/** Lets the host create folders in the scratch folder. A folder writable for everyone, such as /tmp, stays as it is. */
async function openScratchTo(dir: string, { host, sandbox }: HostUsers): Promise<void> {
  await mkdir(dir, { recursive: true })
  const { mode } = await stat(dir)
  if (mode & writableByAll) return
  await chown(dir, host, sandbox)
  await chmod(dir, 0o710)
}
