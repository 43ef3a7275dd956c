/**
 * `npm run build`: bundles the api, the worker and the scheduler, and prints the folder. Sources that have not changed
 * since are not bundled again.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApps } from './packages/build-apps.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const builds = join(root, '.lathe/build')
const dayMs = 24 * 3600 * 1000

const folder = join(builds, fingerprint())
if (!existsSync(folder)) {
  mkdirSync(builds, { recursive: true })
  removeOldBuilds()
  // Another process may be building the same: the first one to finish wins.
  const made = mkdtempSync(join(builds, 'unfinished-'))
  await buildApps(made)
  try {
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}
console.log(folder)

/** A name that changes with every source file and library. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const files = globSync(
    ['{packages,apps}/*/{src/**/*.ts,package.json}', 'package-lock.json', 'scripts/packages/*.ts'],
    {
      cwd: root,
      exclude: (name) => name === 'node_modules',
    },
  )
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Processes may still run from earlier builds. */
function removeOldBuilds(): void {
  for (const name of readdirSync(builds)) {
    const old = join(builds, name)
    if (Date.now() - statSync(old).mtimeMs > dayMs) rmSync(old, { recursive: true, force: true })
  }
}
