import { chmod, copyFile, readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { Scratch } from './scratch.ts'

/**
 * Copies a script, and the files of the same kind next to it, to a folder that a sandbox can reach: the checkout may be
 * in a folder closed to the sandbox's uid. Returns that folder. Nothing in it can be changed from inside.
 */
export async function installScripts(scratch: Scratch, script: string): Promise<string> {
  const [from, kind] = [dirname(script), extname(script)]
  const folder = await scratch.createPassage('scripts')
  const names = (await readdir(from)).filter((name) => name.endsWith(kind) && !name.endsWith(`.test${kind}`))
  for (const name of names) await install(join(from, name), join(folder, name))
  // Python finds modules by listing their folder, so the group needs permission to read it.
  await chmod(folder, 0o750)
  return folder
}

/** The command that runs an installed script inside: with Python if its name ends with .py, otherwise with Node. */
export function scriptCommand(script: string): readonly string[] {
  const inside = `/opt/lathe/runners/${basename(script)}`
  // Python ignores variables and the user's folder, and writes no bytecode: the folder is read-only.
  return extname(script) === '.py' ? ['/usr/bin/python3', '-E', '-s', '-B', inside] : ['/opt/lathe/bin/node', inside]
}

async function install(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o444)
}
