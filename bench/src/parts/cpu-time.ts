import { readFileSync } from 'node:fs'
import type { Database } from '@lathe/database'
import { descendantsOf, listProcesses } from '@lathe/testing'

// USER_HZ: what /proc counts in, whatever the kernel's own clock is.
const ticksPerSecond = 100

/** CPU time, user and system, since the meter was made. */
export interface CpuMeter {
  readonly ms: number
  /** The same by process, in milliseconds. */
  readonly parts: Readonly<Record<string, number>>
  /** The same by process: `node 1.2 ms, postgres 2.3 ms`, for a number of tasks each. */
  perTask(count: number): string
}

/** Tells the CPU time used so far, in milliseconds. */
export type CpuReader = () => number

/** Starts to meter this process and others. */
export function meterCpu(others: Readonly<Record<string, CpuReader>>): CpuMeter {
  const readers: Readonly<Record<string, CpuReader>> = { node: ownMs, ...others }
  const before = mapValues(readers, (read) => read())
  const used = () => Object.entries(readers).map(([name, read]) => [name, read() - (before[name] ?? 0)] as const)
  return {
    get ms() {
      return used().reduce((sum, [, ms]) => sum + ms, 0)
    },
    get parts() {
      return Object.fromEntries(used())
    },
    perTask: (count) =>
      used()
        .map(([name, ms]) => `${name} ${(ms / count).toFixed(2)} ms`)
        .join(', '),
  }
}

/** Reads a process with the children it has and those that have ended. */
export function treeOf(pid: number): CpuReader {
  return () => [pid, ...descendantsOf(pid).map((child) => child.pid)].reduce((sum, each) => sum + processMs(each), 0)
}

/** Reads a process apart from its children. */
export function aloneOf(pid: number): CpuReader {
  return () => processMs(pid, 2)
}

/** The parent of every process of a cluster: that of the one that answers. */
export async function postmasterOf({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = listProcesses().find(({ pid }) => pid === rows[0]?.pid)
  if (!backend) throw new Error('PostgreSQL does not run on this machine')
  return backend.parent
}

function mapValues<T, R>(from: Readonly<Record<string, T>>, to: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]))
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What a process has used and, with all four times, its children that have ended; 0 if it is gone. */
function processMs(pid: number, times = 4): number {
  // The name in brackets may hold anything; after it, user and system time are the 12th and 13th field, those of ended children follow.
  const fields = readStat(pid).split(') ').at(-1)?.split(' ') ?? []
  const ticks = fields.slice(11, 11 + times).reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1000) / ticksPerSecond
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
