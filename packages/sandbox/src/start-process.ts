import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { bwrapArguments, type Enclosure } from './bwrap-arguments.ts'
import type { Cgroup, CgroupHome } from './cgroup.ts'
import type { HardLimits } from './hard-limits.ts'
import { type Launch, launchCommand } from './launch-command.ts'
import { readStat } from './process-stat.ts'
import type { EngineProfile } from './profiles.ts'
import { compileSeccomp } from './seccomp/compile-seccomp.ts'
import { onlyNumbers, seccompRules } from './seccomp/policy.ts'
import type { Architecture } from './seccomp/syscalls.ts'
import { createTail, type Tail } from './tail.ts'

/** What this worker builds sandboxes with, proven at startup. */
export interface Host {
  readonly engineRoot: string
  readonly identity: Launch['identity']
  /** Descriptors that the worker inherited. Engines get none of them. */
  readonly inherited: readonly number[]
  readonly cgroups: CgroupHome | undefined
  readonly privateProc: boolean
  readonly ownHostname: boolean
  /** Whether the worker itself could change kernel settings: an engine that escapes would then own the machine. */
  readonly rulesKernel: boolean
  /** The hard limits of the worker, which no engine's limit may exceed. */
  readonly hardLimits: HardLimits
  readonly architecture: Architecture
  /** The program that builds a sandbox: bwrap, or one of the operator's that takes bwrap's arguments. */
  readonly builder: string
  /** The most processes and the largest /tmp of any profile. */
  readonly processes: number
  readonly tmpBytes: number
}

export interface ProcessRequest {
  readonly profile: EngineProfile
  readonly folder: string
  /** How the program waits for its arguments before it runs, if it does. */
  readonly waits?: Enclosure['waits']
  readonly runners?: string
  readonly command: readonly string[]
  readonly memoryBytes: number
  readonly fileBytes: number
  readonly stdin: 'ignore' | 'pipe'
}

/** How a sandbox's first process ended. Reported only when no process of the sandbox is left. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly outOfMemory: boolean
}

/** A running sandbox. */
export interface SandboxedProcess {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Tail
  /** Settles when every process of the sandbox is gone. */
  readonly ended: Promise<ProcessEnd>
  /** Whether it has exited, although some of its processes may still be ending. */
  hasExited(): boolean
  setMemory(bytes: number): Promise<void>
  /** Marks it as working, and sets whether it gives way to other sandboxes, where cgroups allow it. */
  beginWork(givesWay: boolean): Promise<void>
  /** Marks it as idle, as its end does. */
  endWork(): Promise<void>
  /** The memory of all its processes together; undefined where it is not measured. */
  memoryInUse(): Promise<number | undefined>
  /** The pid of the sandbox's first process as the worker sees it, or undefined if it was never created. */
  readonly firstPid: Promise<number | undefined>
  /** Kills all of its processes at once. */
  kill(): void
}

/** How many bytes of an engine's standard error are kept. */
export const stderrLimit = 64 * 1024
// bwrap reports its first process as soon as it exists. If bwrap ended without a report, there was none.
const knownWithinMs = 2_000
const infoFd = 3
const seccompFd = 4

// Allocated but untouched memory counts here and not in the cgroup, whose limit must be the first to apply.
const dataPerMemory = 2

/** Starts a command in its own sandbox. */
export async function startProcess(host: Host, request: ProcessRequest): Promise<SandboxedProcess> {
  const { profile, fileBytes } = request
  const cgroup = await host.cgroups?.create({
    memoryBytes: Math.min(request.memoryBytes, profile.memoryBytes),
    processes: Math.min(profile.processes, host.processes),
    cpus: profile.cpus,
  })
  const { identity, builder, hardLimits } = host
  const closes = host.inherited.filter((descriptor) => descriptor !== infoFd && descriptor !== seccompFd)
  const bwrap = bwrapArguments(toEnclosure(host, request))
  const joins = cgroup?.joins ?? []
  const dataBytes = dataPerMemory * profile.memoryBytes
  const { program, args } = launchCommand({ joins, closes, identity, hardLimits, fileBytes, dataBytes, builder, bwrap })
  const child = spawn(program, args, { cwd: '/', env: {}, stdio: [request.stdin, 'pipe', 'pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr } = child
  const info = child.stdio[infoFd]
  const filter = child.stdio[seccompFd]
  if (!stdout || !stderr || !(info instanceof Readable) || !(filter instanceof Writable)) {
    throw new Error('a process was started without its pipes')
  }
  // When a sandbox ends, these pipes break. Only `ended` reports its end.
  for (const stream of [stdin, stdout, info, filter]) stream?.on('error', () => {})
  // The kernel rejects a truncated filter, so an engine never runs with half of one.
  const only = onlyNumbers(profile.seccomp, host.architecture)
  filter.end(compileSeccomp(seccompRules(profile.seccomp), host.architecture, only))
  const first = readFirstProcess(info)
  return {
    stdin,
    stdout,
    stderr: createTail(stderr, stderrLimit),
    ended: awaitEnd(child, cgroup, first),
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    beginWork: async (givesWay) => cgroup?.beginWork(givesWay),
    endWork: async () => cgroup?.endWork(),
    setMemory: async (bytes) => cgroup?.setMemory(Math.min(bytes, profile.memoryBytes)),
    memoryInUse: async () => cgroup?.memoryInUse(),
    firstPid: first.then((process) => process?.pid),
    // bwrap's first process dies with bwrap, and the kernel kills a pid namespace with its first process.
    kill: () => void child.kill('SIGKILL'),
  }
}

function toEnclosure(host: Host, { profile, folder, waits, runners, command }: ProcessRequest): Enclosure {
  const { engineRoot, privateProc, ownHostname } = host
  const tmpBytes = Math.min(profile.tmpBytes, host.tmpBytes)
  const more = { ...(runners && { runners }), ...(waits && { waits }) }
  return { engineRoot, profile, privateProc, ownHostname, tmpBytes, folder, infoFd, seccompFd, command, ...more }
}

async function awaitEnd(
  child: ChildProcess,
  cgroup: Cgroup | undefined,
  first: Promise<FirstProcess | undefined>,
): Promise<ProcessEnd> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const [code, signal] = await ended(child)
  const outOfMemory = (await cgroup?.ranOutOfMemory()) ?? false
  // A bwrap killed right at its start leaves a child that does not yet die with it and would keep the pipes open
  // forever.
  await cgroup?.destroy()
  // bwrap exits before the last process inside is dead. The slot and the scratch space are free only after that.
  await waitUntilGone(await Promise.race([first, delay(knownWithinMs, undefined)]))
  await closed
  return { code, signal, outOfMemory }
}

async function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  try {
    const [code, signal] = await once(child, 'exit')
    return [code, signal]
  } catch {
    // The program could not be started: the same as dying at its start.
    return [null, null]
  }
}

interface FirstProcess {
  readonly pid: number
  readonly startedAt: string | undefined
}

async function readFirstProcess(info: Readable): Promise<FirstProcess | undefined> {
  let text = ''
  for await (const chunk of info) text += String(chunk)
  const pid = Number(/"child-pid"\s*:\s*(\d+)/.exec(text)?.[1])
  return pid > 0 ? { pid, startedAt: (await readStat(pid))?.startedAt } : undefined
}

// The namespace's first process becomes a zombie only after all others in it are dead.
async function waitUntilGone(first: FirstProcess | undefined): Promise<void> {
  for (let pauseMs = 1; first?.startedAt !== undefined; pauseMs = Math.min(pauseMs * 2, 20)) {
    const stat = await readStat(first.pid)
    // A different start time means another process that got the same pid.
    if (stat?.startedAt !== first.startedAt || stat.state === 'Z' || stat.state === 'X') return
    await delay(pauseMs)
  }
}
