import { randomBytes } from 'node:crypto'
import { lstat, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type EvilFacts, judgeEvil, privateNamespaces } from './judge-evil.ts'
import { programs } from './launch-command.ts'
import type { EngineProfile } from './profiles.ts'
import type { Scratch } from './scratch.ts'
import { installScripts } from './scripts.ts'
import { onlyNumbers, seccompRules } from './seccomp/policy.ts'
import { type Host, startProcess } from './start-process.ts'
import { syscallAttempts } from './syscall-attempts.ts'
import { openTripwires, type Tripwires } from './tripwires.ts'

const MiB = 1024 * 1024
// Only ends runs that went wrong: a machine under load may need tens of seconds for what usually takes half a second.
const evilMs = 60_000
const goneMs = 15_000
const fileBytes = MiB

/** The result of the evil engine in one profile. */
export interface EvilEnd {
  /** Whether it could run at all. */
  readonly ran: boolean
  /** The faults of the sandbox. A worker may serve only if the list is empty. */
  readonly faults: readonly string[]
}

/**
 * Runs the evil engine in place of a profile's engine, in three sandboxes at once: one tries every way out, one takes
 * all memory, and one resists being killed. The first costs one start of Node, the others almost nothing.
 */
export async function tryEvilEngine(host: Host, scratch: Scratch, profile: EngineProfile): Promise<EvilEnd> {
  await using bait = await layBait(scratch)
  const [breakout, greed, stubbornness] = await Promise.all([
    tryBreakout(host, scratch, profile, bait),
    tryGreed(host, scratch, profile),
    tryStubbornness(host, scratch, profile),
  ])
  // If one could not start, none of them could.
  if (!breakout.ran) return breakout
  const touched = bait.tripwires.touched().map((name) => `a listener of the worker was reached by ${name}`)
  return { ran: true, faults: [...breakout.faults, ...greed, ...stubbornness, ...touched] }
}

interface Bait extends AsyncDisposable {
  /** Files and folders of the worker that the sandbox's uid could read: only the sandbox keeps them secret. */
  readonly outside: readonly string[]
  readonly tripwires: Tripwires
}

async function layBait(scratch: Scratch): Promise<Bait> {
  const folder = await scratch.createPassage('canary')
  const canary = join(folder, 'canary')
  await writeFile(canary, randomBytes(16).toString('hex'), { mode: 0o666 })
  const neighbour = await scratch.createFolder('job')
  await writeFile(join(neighbour, 'in-0.txt'), randomBytes(16).toString('hex'), { mode: 0o644 })
  const tripwires = await openTripwires(folder)
  return {
    outside: [canary, neighbour, join(neighbour, 'in-0.txt')],
    tripwires,
    async [Symbol.asyncDispose]() {
      await tripwires[Symbol.asyncDispose]()
      await Promise.all([folder, neighbour].map((path) => scratch.remove(path)))
    },
  }
}

async function tryBreakout(host: Host, scratch: Scratch, profile: EngineProfile, bait: Bait): Promise<EvilEnd> {
  const runners = await installScripts(scratch, join(import.meta.dirname, 'evil-engine.mjs'))
  const folder = await scratch.createFolder('evil')
  const { architecture } = host
  const only = onlyNumbers(profile.seccomp, architecture)
  const attempts = syscallAttempts(seccompRules(profile.seccomp), architecture, only)
  const processes = host.cgroups ? Math.min(profile.processes, host.processes) : undefined
  const { outside, tripwires } = bait
  const { ports, sockets } = tripwires
  const forks = processes === undefined ? 0 : processes + 16
  const request = { outside, ports, sockets, namespaces: privateNamespaces, attempts, fileBytes, forks }
  const command = ['/opt/lathe/bin/node', '/opt/lathe/runners/evil-engine.mjs', JSON.stringify(request)]
  const more = { runners, memoryBytes: 512 * MiB }
  const { output, stderr } = await runEvil(host, { profile, folder, command, ...more })
  const writer = await lstat(join(folder, 'lathe-probe')).catch(() => undefined)
  await Promise.all([folder, runners].map((path) => scratch.remove(path)))
  const facts = parseFacts(output)
  if (!facts)
    return { ran: false, faults: [`the evil engine did not run: ${stderr.trim().slice(-500) || 'no output'}`] }
  const isOwn = host.builder === programs.bwrap
  const namespaces = isOwn ? await ownNamespaces() : undefined
  const faults = judgeEvil(facts, { privateProc: host.privateProc, namespaces, attempts, processes })
  // If root runs bwrap, the engine has a harmless uid inside, which is root's uid outside.
  return { ran: true, faults: [...faults, ...(writer?.uid === 0 ? ['the engine acts as root outside'] : [])] }
}

/** Takes more memory than allowed. Without a cgroup there is nothing to prove. */
async function tryGreed(host: Host, scratch: Scratch, profile: EngineProfile): Promise<readonly string[]> {
  if (!host.cgroups) return []
  const folder = await scratch.createFolder('evil')
  const command = ['/usr/bin/perl', '-e', 'my $all = "x" x (256 * 1024 * 1024); print "got it"']
  const { output, outOfMemory } = await runEvil(host, { profile, folder, command, memoryBytes: 48 * MiB })
  await scratch.remove(folder)
  return outOfMemory && output === '' ? [] : ['the engine can take memory beyond its limit']
}

// Ignores every signal that can be ignored, leaves a daemon in its own session that floods standard error, and
// prints the descriptors it inherited. The last descriptor is the folder from which it lists them.
const stubborn = `$| = 1;
  $SIG{$_} = 'IGNORE' for qw(TERM INT HUP);
  if (!fork) { open STDOUT, '>&STDERR'; exec 'setsid', 'yes', 'flood' }
  opendir my $all, '/proc/self/fd';
  print join(' ', sort grep /\\d/, readdir $all), "\n";
  sleep 1 while 1`

/** Kills an engine that resists: all its processes must end soon, and only a little of its output may be kept. */
async function tryStubbornness(host: Host, scratch: Scratch, profile: EngineProfile): Promise<readonly string[]> {
  const folder = await scratch.createFolder('evil')
  const command = ['/usr/bin/perl', '-e', stubborn]
  const process = await startProcess(host, { profile, folder, command, ...small, stdin: 'ignore' })
  const reported = new Promise<string>((resolve) => process.stdout.once('data', (line) => resolve(String(line).trim())))
  const descriptors = await Promise.race([reported, process.ended.then(() => ''), delay(evilMs, '', { ref: false })])
  process.kill()
  const gone = await Promise.race([process.ended.then(() => true), delay(goneMs, false, { ref: false })])
  const kept = process.stderr.text().length
  if (gone) await scratch.remove(folder)
  return [
    ...(gone ? [] : ['the engine outlives its end']),
    ...(host.privateProc && descriptors !== '0 1 2 3' ? [`the engine was handed descriptors: ${descriptors}`] : []),
    ...(kept > 64 * 1024 ? ['the engine can flood the worker'] : []),
  ]
}

const small = { memoryBytes: 128 * MiB, fileBytes }

type EvilRequest = Omit<Parameters<typeof startProcess>[1], 'fileBytes' | 'stdin'>

async function runEvil(host: Host, request: EvilRequest) {
  const process = await startProcess(host, { ...request, fileBytes, stdin: 'ignore' })
  const timer = setTimeout(() => process.kill(), evilMs)
  let output = ''
  for await (const chunk of process.stdout) if (output.length < MiB) output += String(chunk)
  const { outOfMemory } = await process.ended
  clearTimeout(timer)
  return { output, outOfMemory, stderr: process.stderr.text() }
}

function parseFacts(output: string): EvilFacts | undefined {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

async function ownNamespaces(): Promise<Readonly<Record<string, string>>> {
  const links = privateNamespaces.map(async (name) => [name, await readlink(`/proc/self/ns/${name}`)] as const)
  return Object.fromEntries(await Promise.all(links))
}
