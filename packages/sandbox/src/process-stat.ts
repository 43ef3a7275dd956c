import { readdir, readFile } from 'node:fs/promises'

export interface ProcessStat {
  readonly state: string
  /** Clock ticks since boot: with the pid, it names a process for good. */
  readonly startedAt: string
  /** Clock ticks it has spent on cores, those of its dead children included once it has asked after them. */
  readonly cpuTicks: number
}

/** What the kernel says of a process, or undefined if there is none. */
export async function readStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The program's name stands in brackets and may hold anything, so fields are counted from the last bracket.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return undefined
  const cpuTicks = (fields ?? []).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  return { state, startedAt, cpuTicks }
}

/** Clock ticks a process and all below it have spent on cores; the kernel counts 100 a second. */
export async function cpuTicksOf(pid: number): Promise<number> {
  const [stat, pids] = await Promise.all([readStat(pid), childrenOf(pid)])
  const below = await Promise.all(pids.map(cpuTicksOf))
  return below.reduce((sum, ticks) => sum + ticks, stat?.cpuTicks ?? 0)
}

/** A process and all below it. */
export async function processesBelow(pid: number): Promise<readonly number[]> {
  const below = await Promise.all((await childrenOf(pid)).map(processesBelow))
  return [pid, ...below.flat()]
}

// The kernel lists children with the thread that started them, which is rarely the first one of a large program.
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ').map(Number).filter(Boolean))
}
