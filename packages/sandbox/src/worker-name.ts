import { randomBytes } from 'node:crypto'
import { readlink } from 'node:fs/promises'
import { readStat } from './process-stat.ts'

/** A name for what this process leaves on the machine. After a restart, another process could have the same pid. */
export async function createWorkerName(): Promise<string> {
  const startedAt = (await readStat('self'))?.startedAt ?? '0'
  return `worker-${await pidNamespace()}-${process.pid}-${startedAt}-${randomBytes(3).toString('hex')}`
}

/** Whether the name belongs to a worker that is gone. Names of another pid namespace cannot be checked. */
export async function isLeftover(name: string): Promise<boolean> {
  const [, namespace, pid, startedAt] = /worker-(\d+)-(\d+)-(\d+)-\w+$/.exec(name) ?? []
  if (namespace === undefined || namespace !== (await pidNamespace())) return false
  return (await readStat(Number(pid)))?.startedAt !== startedAt
}

async function pidNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '')
  return /\d+/.exec(link)?.[0] ?? '0'
}
