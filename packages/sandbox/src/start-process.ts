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

/** What this worker has to build sandboxes with, proven at start. */
export interface Host {
  readonly engineRoot: string
  readonly identity: Launch['identity']
  /** Descriptors the worker was started with: engines get none of them. */
  readonly inherited: readonly number[]
  readonly cgroups: CgroupHome | undefined
  readonly privateProc: boolean
  readonly ownHostname: boolean
  /** Whether the worker itself could change settings of the kernel: a breakout would then own the machine. */
  readonly rulesKernel: boolean
  /** The hard limits of the worker, which no engine's limit may exceed. */
  readonly hardLimits: HardLimits
  readonly architecture: Architecture
  /** What builds a sandbox: bwrap, or a program of the operator's that takes bwrap's arguments. */
  readonly builder: string
  /** The most processes and /tmp any profile gets. */
  readonly processes: number
  readonly tmpBytes: number
}

export interface ProcessRequest {
  readonly profile: EngineProfile
  readonly folder: string
  /** How it waits for its arguments before it runs, if it does. */
  readonly waits?: Enclosure['waits']
  readonly runners?: string
  readonly command: readonly string[]
  readonly memoryBytes: number
  readonly fileBytes: number
  readonly stdin: 'ignore' | 'pipe'
}

/** How a sandbox's first process ended, told only when no process of the sandbox is left. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly outOfMemory: boolean
}

/** A sandbox at work. */
export interface SandboxedProcess {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Tail
  /** Settles when every process of the sandbox is gone. */
  readonly ended: Promise<ProcessEnd>
  /** Whether it is over, although some of its processes may still be going. */
  hasExited(): boolean
  setMemory(bytes: number): Promise<void>
  /** Marks it as working, and sets whether other sandboxes have the cores first, where cgroups allow it. */
  beginWork(givesWay: boolean): Promise<void>
  /** Marks it as idle, as its end does. */
  endWork(): Promise<void>
  /** What all its processes hold together; undefined where nobody counts. */
  memoryInUse(): Promise<number | undefined>
  /** The sandbox's first process as the worker numbers it, or undefined if it was never made. */
  readonly firstPid: Promise<number | undefined>
  /** Ends all of it at once, without asking. */
  kill(): void
}

/** Bytes that are kept of what an engine writes to standard error. */
export const stderrLimit = 64 * 1024
// bwrap names its first process as soon as it is made; one that has ended without doing so made none.
const knownWithinMs = 2_000
const infoFd = 3
const seccompFd = 4

// Memory that was asked for and never touched counts here and not in the cgroup, which has to be the first to say no.
const dataPerMemory = 2

/** Starts a command in a sandbox of its own. */
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
  // A sandbox that is gone breaks these pipes; its end is told by `ended` alone.
  for (const stream of [stdin, stdout, info, filter]) stream?.on('error', () => {})
  // The kernel takes no program that was cut short, so an engine never runs behind half a filter.
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
    // bwrap's first process dies with bwrap, and the kernel ends a pid namespace with its first process.
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
  // A bwrap killed at birth leaves a child that was not yet told to die with it, and that keeps the pipes open for ever.
  await cgroup?.destroy()
  // The exit of bwrap comes before the last death inside: slot and scratch are free only after that.
  await waitUntilGone(await Promise.race([first, delay(knownWithinMs, undefined)]))
  await closed
  return { code, signal, outOfMemory }
}

async function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  try {
    const [code, signal] = await once(child, 'exit')
    return [code, signal]
  } catch {
    // It could not even be started: as good as a death at birth.
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

// The namespace's first process turns into a zombie only after all others in it are dead.
async function waitUntilGone(first: FirstProcess | undefined): Promise<void> {
  for (let pauseMs = 1; first?.startedAt !== undefined; pauseMs = Math.min(pauseMs * 2, 20)) {
    const stat = await readStat(first.pid)
    // Another start time is another process that got the same number.
    if (stat?.startedAt !== first.startedAt || stat.state === 'Z' || stat.state === 'X') return
    await delay(pauseMs)
  }
}
