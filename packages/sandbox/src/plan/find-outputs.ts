import { readdir } from 'node:fs/promises'
import type { PlannedOutput } from '@lathe/engines'
import type { JobFolder } from '../job-folder.ts'

/** The planned outputs with every `*` replaced by the numbers found in the folder, in ascending order. */
export async function findOutputs(
  { path }: Pick<JobFolder, 'path'>,
  outputs: readonly PlannedOutput[],
): Promise<readonly PlannedOutput[]> {
  if (!outputs.some(({ file }) => file.includes('*'))) return outputs
  const names = await readdir(path)
  return outputs.flatMap((output) => (output.file.includes('*') ? numbered(output, names) : [output]))
}

function numbered(output: PlannedOutput, names: readonly string[]): readonly PlannedOutput[] {
  const found = names.flatMap((name) => {
    const at = numberIn(output.file, name)
    return at === undefined ? [] : [{ name, at }]
  })
  const sorted = found.sort((a, b) => a.at - b.at)
  return sorted.map(({ name }, i) => ({ ...output, file: name, ...(sorted.length > 1 && { number: i + 1 }) }))
}

/** The number in a file's name at the place of the `*` of a planned name; undefined if the name does not match. */
export function numberIn(planned: string, name: string): number | undefined {
  const [before = '', after = ''] = planned.split('*')
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined
  const digits = name.slice(before.length, name.length - after.length)
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined
}
