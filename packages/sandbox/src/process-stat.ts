import { readFile } from 'node:fs/promises'

export interface ProcessStat {
  readonly state: string
  /** Clock ticks since boot: with the pid, it names a process for good. */
  readonly startedAt: string
}

/** What the kernel says of a process, or undefined if there is none. */
export async function readStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The program's name stands in brackets and may hold anything, so fields are counted from the last bracket.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  return state === undefined || startedAt === undefined ? undefined : { state, startedAt }
}
