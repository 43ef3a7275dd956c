import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readlink, stat, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { delegateCgroup } from '../cgroup.ts'
import { programs } from '../launch-command.ts'
import { SandboxUnavailable } from '../sandbox.ts'

/** Who is who when the worker was started as root. */
export interface HostUsers {
  /** What the host's root is outside of its user namespace. */
  readonly host: number
  /** What engines run as, outside as inside. */
  readonly sandbox: number
  /** The worker once it has given up its rights: its group may connect. None if it stays root. */
  readonly worker: number | undefined
}

export interface HostStart {
  /** The command of the host itself. */
  readonly command: readonly [string, ...string[]]
  /** All it gets of the environment. */
  readonly env: Readonly<Record<string, string>>
  readonly scratchDir: string
  /** None where the worker is no root: the host is then the same user, in a user namespace of its own. */
  readonly users: HostUsers | undefined
}

export interface StartedHost extends AsyncDisposable {
  readonly pid: number
  /** Whether it has namespaces of its own: without them it has a network. */
  readonly isApart: boolean
  /** Rejects when it has ended for good, which nobody asked for. */
  readonly gone: Promise<never>
}

/** The exit status where engines cannot be isolated: EX_CONFIG of sysexits.h. Restarting does not help, the machine must be changed. */
export const unavailableExit = 78

// Waits until its user namespace is set up, then runs the host again and again: nobody with rights is left to do so. The
// worker alone says when to stop, by closing the pipe. Signals to the whole group are for the worker.
const keepRunning = `trap '' INT TERM HUP
read -r _
until "$@"; do
  [ $? = ${unavailableExit} ] && exit ${unavailableExit}
  sleep 0.2
done`

/**
 * Starts an engine host: in a network namespace where nothing is, and in a user namespace, so that it has rights over
 * nothing but its engines. It is root there if the worker is root outside, and outside a user that owns nothing.
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
    throw new SandboxUnavailable(`the engine host cannot be set up: ${(error as Error).message}`, { cause: error })
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

/** Says who the users inside are outside: two of them, and the worker's group. */
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

/** Lets the host make folders in the scratch folder. One that everybody may write to, such as /tmp, stays as it is. */
async function openScratchTo(dir: string, { host, sandbox }: HostUsers): Promise<void> {
  await mkdir(dir, { recursive: true })
  const { mode } = await stat(dir)
  if (mode & writableByAll) return
  await chown(dir, host, sandbox)
  await chmod(dir, 0o710)
}
