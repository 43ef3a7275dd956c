import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { dropTo, type Launch, programs } from './launch-command.ts'

/**
 * Removes a folder, whatever an engine left in it. Never enters a subfolder of the sandbox by path: an engine could
 * swap it for a symlink and turn a root worker against the host. `rm` walks by descriptor, as the sandbox uid.
 */
export async function removeTree(path: string, identity: Launch['identity']): Promise<void> {
  const stats = await lstat(path).catch(ignoreAbsent)
  if (!stats) return
  if (!stats.isDirectory()) return unlink(path)
  // The sandbox can neither change nor remove the entries of a folder of ours: each of them is safe to name.
  const isOurs = identity !== undefined && stats.uid !== identity.uid
  if (isOurs) for (const name of await readdir(path)) await removeTree(join(path, name), identity)
  const clean = await removeFlat(path)
  if (!clean) await removeDeep(path, identity)
  await rmdir(path).catch(ignoreAbsent)
}

// Nearly every job folder is a few plain files, which need no extra process.
async function removeFlat(path: string): Promise<boolean> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    const [folders, files] = [entries.filter((e) => e.isDirectory()), entries.filter((e) => !e.isDirectory())]
    for (const { name } of files) await unlink(join(path, name))
    return folders.length === 0
  } catch {
    return false
  }
}

// Folders may lack the permissions that removing needs, and may be nested deeper than a path can name.
const emptyIt = 'chmod -R u+rwX -- "$1" 2>/dev/null; cd "$1" && find . -mindepth 1 -delete'

async function removeDeep(path: string, identity: Launch['identity']): Promise<void> {
  const [program = programs.setpriv, ...args] = dropTo(identity)
  const env = { PATH: '/usr/bin:/bin' }
  const child = spawn(program, [...args, programs.sh, '-c', emptyIt, 'remove', path], {
    cwd: '/',
    env,
    stdio: 'ignore',
  })
  await once(child, 'exit')
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
