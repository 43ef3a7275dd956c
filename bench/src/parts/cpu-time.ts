import { readFileSync } from 'node:fs'
import type { Database } from '@lathe/database'
import { descendantsOf, listProcesses } from '@lathe/testing'

// USER_HZ: the unit of /proc, regardless of the kernel's own clock rate.
const ticksPerSecond = 100

/** CPU time, user and system, since the meter was created. */
export interface CpuMeter {
  readonly ms: number
  /** The same by process, in milliseconds. */
  readonly parts: Readonly<Record<string, number>>
  /** CPU time per task by process: `node 1.2 ms, postgres 2.3 ms`. */
  perTask(count: number): string
}

/** Returns the CPU time used so far in milliseconds. */
export type CpuReader = () => number

/** Starts a meter for this process and others. */
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

/** Reads a process with its running and ended children. */
export function treeOf(pid: number): CpuReader {
  return () => [pid, ...descendantsOf(pid).map((child) => child.pid)].reduce((sum, each) => sum + processMs(each), 0)
}

/** Reads a process without its children. */
export function aloneOf(pid: number): CpuReader {
  return () => processMs(pid, 2)
}

/** The parent of all processes of a cluster: that of the backend that responds. */
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

/** CPU time of a process and, with all four times, of its ended children; 0 if the process has ended. */
function processMs(pid: number, times = 4): number {
  // The name in brackets may contain anything. After it, user and system time are the 12th and 13th field; those of
  // ended children follow.
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
