import { readdirSync, readFileSync } from 'node:fs'

/** A process as /proc shows it. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** Resident memory of a process in bytes; 0 if it has ended. */
export function rssOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

/** Every descendant of this process, including sandboxes and their engines. */
export function descendantsOf(pid: number): readonly ProcessInfo[] {
  const all = listProcesses()
  const found: ProcessInfo[] = []
  let parents = new Set([pid])
  while (parents.size > 0) {
    const children = all.filter(({ parent }) => parents.has(parent))
    found.push(...children)
    parents = new Set(children.map((child) => child.pid))
  }
  return found
}

/** The process that starts a worker's sandboxes, if it exists. */
export function engineHostOf(workerPid: number): ProcessInfo | undefined {
  return descendantsOf(workerPid).find(({ command }) => /^\S*node \S*\/engine-host\/main\.ts$/.test(command))
}

/** All processes except zombies. */
export function listProcesses(): readonly ProcessInfo[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).flatMap((pid) => {
    const status = readProc(pid, 'status')
    if (status === '' || /^State:\s+[ZX]/m.test(status)) return []
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0)
    return [{ pid, parent, command: readProc(pid, 'cmdline').replaceAll('\0', ' ').trim() }]
  })
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
