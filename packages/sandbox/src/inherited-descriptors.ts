import { readdir, readFile } from 'node:fs/promises'

const closeOnExec = 0o2000000

/**
 * Descriptors that this process inherited and would pass on to every program it starts. Node closes its own,
 * but only the first few of the inherited ones. A supervisor's pipe must not end up in an engine.
 */
export async function inheritedDescriptors(): Promise<readonly number[]> {
  const names = await readdir('/proc/self/fdinfo').catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const info = await readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '')
      const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1]
      return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0 ? [Number(name)] : []
    }),
  )
  return found.flat().filter((descriptor) => descriptor > 2)
}
