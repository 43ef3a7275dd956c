import { chmod, copyFile, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Scratch } from './scratch.ts'

/**
 * Copies a script and the .mjs files beside it to where a sandbox can reach them: the checkout may lie in a
 * folder closed to the sandbox's uid. Gives the folder, and nothing in it can be changed from inside.
 */
export async function installScripts(scratch: Scratch, script: string, as = basename(script)): Promise<string> {
  const from = dirname(script)
  const folder = await scratch.createPassage('scripts')
  const siblings = (await readdir(from)).filter((name) => name.endsWith('.mjs') && !name.endsWith('.test.mjs'))
  for (const name of new Set([...siblings, basename(script)])) await install(join(from, name), join(folder, name))
  if (as !== basename(script)) await install(script, join(folder, as))
  return folder
}

async function install(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o444)
}
