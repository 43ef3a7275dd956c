import { readdir, readFile } from 'node:fs/promises'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly name: string
  /** CPU time in hundredths of a second. */
  readonly ticks: number
}

/** Every office process below this process. */
export async function officeProcesses(): Promise<readonly Process[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = (await Promise.all(names.map(readProcess))).filter((one) => one !== undefined)
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0))
  return all.filter(({ pid, name }) => name === 'soffice.bin' && isOurs(pid))
}

async function readProcess(pid: string): Promise<Process | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? []
  const fields = rest.split(' ')
  // Only the number remains of a process that has ended.
  if (name === '' || fields[0] === 'Z' || fields[0] === 'X') return undefined
  return { pid: Number(pid), parent: Number(fields[1]), name, ticks: Number(fields[11]) + Number(fields[12]) }
}
