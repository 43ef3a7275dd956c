import { readFileSync } from 'node:fs'
import { descendantsOf } from '@lathe/testing'

// USER_HZ: what /proc counts in, whatever the kernel's own clock is.
const ticksPerSecond = 100

/** CPU time, user and system, since the meter was made. */
export interface CpuMeter {
  readonly ms: number
  /** The same by process: `node 1.2 ms, postgres 2.3 ms`, for a number of tasks each. */
  perTask(count: number): string
}

/** Starts to meter this process, and others by their ids, with the children they have and those that have ended. */
export function meterCpu(others: Readonly<Record<string, number>>): CpuMeter {
  const readers = { node: ownMs, ...mapValues(others, (pid) => () => treeMs(pid)) }
  const before = mapValues(readers, (read) => read())
  const used = () => Object.entries(readers).map(([name, read]) => [name, read() - (before[name] ?? 0)] as const)
  return {
    get ms() {
      return used().reduce((sum, [, ms]) => sum + ms, 0)
    },
    perTask: (count) =>
      used()
        .map(([name, ms]) => `${name} ${(ms / count).toFixed(2)} ms`)
        .join(', '),
  }
}

function mapValues<T, R>(from: Readonly<Record<string, T>>, to: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]))
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function treeMs(pid: number): number {
  return [pid, ...descendantsOf(pid).map((child) => child.pid)].reduce((sum, each) => sum + processMs(each), 0)
}

/** What a process and its children that have ended have used; 0 if it is gone. */
function processMs(pid: number): number {
  // The name in brackets may hold anything; after it, user and system time are the 12th and 13th field, those of ended children follow.
  const fields = readStat(pid).split(') ').at(-1)?.split(' ') ?? []
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1000) / ticksPerSecond
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
