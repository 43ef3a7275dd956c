import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { succeeds } from '../containers/podman.ts'

/**
 * The caches that the engines of a mounted image would not use, because they do not fit the times of its files: each
 * engine would read all fonts, or compile its Python, whenever it starts.
 */
export function staleCaches(mounted: string): readonly string[] {
  return engineRoots(mounted).flatMap((root) => [
    ...(succeeds(['chroot', root, 'fc-cache', '--system-only']) ? [] : ['fonts']),
    ...(existsSync(join(root, 'usr/bin/python3')) && compilesPython(root) ? ['python'] : []),
  ])
}

function engineRoots(mounted: string): readonly string[] {
  const folder = join(mounted, 'var/lib/lathe/engine-roots')
  // `current` is a link to one of them.
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

function compilesPython(root: string): boolean {
  const { stderr } = spawnSync('chroot', [root, 'python3', '-v', '-B', '-c', 'import json'], { encoding: 'utf8' })
  return !stderr.includes('import ') || stderr.includes('bytecode is stale')
}
