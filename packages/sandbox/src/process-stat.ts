import { readdir, readFile } from 'node:fs/promises'

export interface ProcessStat {
  readonly state: string
  /** Clock ticks since boot. Together with the pid it identifies a process for good. */
  readonly startedAt: string
  /** Clock ticks of CPU time, including those of dead children that the process has waited for. */
  readonly cpuTicks: number
}

/** The kernel's record of a process, or undefined if there is no such process. */
export async function readStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The program's name is in parentheses and may contain anything, so fields are counted from the last parenthesis.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return undefined
  const cpuTicks = (fields ?? []).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  return { state, startedAt, cpuTicks }
}

/** Clock ticks of CPU time of a process and all its descendants. The kernel counts 100 per second. */
export async function cpuTicksOf(pid: number): Promise<number> {
  const [stat, pids] = await Promise.all([readStat(pid), childrenOf(pid)])
  const below = await Promise.all(pids.map(cpuTicksOf))
  return below.reduce((sum, ticks) => sum + ticks, stat?.cpuTicks ?? 0)
}

/** A process and all its descendants. */
export async function processesBelow(pid: number): Promise<readonly number[]> {
  const below = await Promise.all((await childrenOf(pid)).map(processesBelow))
  return [pid, ...below.flat()]
}

// The kernel lists children by the thread that started them, which is rarely the first one of a large program.
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ').map(Number).filter(Boolean))
}
