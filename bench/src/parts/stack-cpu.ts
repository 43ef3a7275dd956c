import { listProcesses, type Stack } from '@lathe/testing'
import { aloneOf, type CpuMeter, type CpuReader, meterCpu, postmasterOf, treeOf } from './cpu-time.ts'

/**
 * Creates meters of a whole stack: this process, the api, the worker, separately its engines, PostgreSQL, Redis and the
 * object store, which counts all of its users.
 */
export async function stackMeter(stack: Stack): Promise<() => CpuMeter> {
  const [api, worker] = [stack.apps('api'), stack.apps('worker')]
  const store = listProcesses().filter(({ command }) => /\b(radosgw|ceph-osd)\b/.test(command))
  const parts = {
    api: sumOf(api.map(({ pid }) => treeOf(pid))),
    worker: sumOf(worker.map(({ pid }) => aloneOf(pid))),
    engines: sumOf(worker.map(({ pid }) => belowOf(pid))),
    postgres: treeOf(await postmasterOf(stack.database)),
    redis: treeOf(stack.redis.pid),
    store: sumOf(store.map(({ pid }) => aloneOf(pid))),
  }
  return () => meterCpu(parts)
}

const sumOf = (readers: readonly CpuReader[]) => () => readers.reduce((sum, read) => sum + read(), 0)

function belowOf(pid: number): CpuReader {
  const [all, alone] = [treeOf(pid), aloneOf(pid)]
  return () => all() - alone()
}
