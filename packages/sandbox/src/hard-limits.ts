import { readFile } from 'node:fs/promises'

/** Limits of the worker that only a privileged process could raise. A limit that is absent is unlimited. */
export type HardLimits = Readonly<Partial<Record<'core' | 'nofile' | 'memlock' | 'fsize' | 'data' | 'nproc', number>>>

const names = {
  core: 'Max core file size',
  nofile: 'Max open files',
  memlock: 'Max locked memory',
  fsize: 'Max file size',
  data: 'Max data size',
  nproc: 'Max processes',
} as const satisfies Record<keyof HardLimits, string>

/** The hard limits in the text of `/proc/self/limits`. */
export function parseHardLimits(text: string): HardLimits {
  const found = Object.entries(names).flatMap(([name, title]) => {
    const hard = new RegExp(`^${title}\\s+\\S+\\s+(\\d+)\\b`, 'm').exec(text)?.[1]
    return hard === undefined ? [] : [[name, Number(hard)]]
  })
  return Object.fromEntries(found)
}

/** The hard limits of this process. */
export async function readHardLimits(): Promise<HardLimits> {
  return parseHardLimits(await readFile('/proc/self/limits', 'utf8'))
}
