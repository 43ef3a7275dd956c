import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from './find-release.ts'
import { root } from './root.ts'

/** The sources of a release, ready to run. */
export interface Checkout extends Disposable {
  readonly folder: string
  /** Whether the libraries are those of this checkout: it has all that are needed, in the same versions. */
  readonly sharesModules: boolean
}

/** Unpacks a release into a separate folder, with the libraries in its lock file. */
export function checkOut({ commit }: Release, { mayInstall }: { readonly mayInstall: boolean }): Checkout | undefined {
  // In /var/tmp and readable for all: sandboxes run as a different user.
  const folder = mkdtempSync('/var/tmp/lathe-release-')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    chmodSync(folder, 0o755)
    const archive = join(folder, 'sources.tar')
    execFileSync('git', ['archive', '--format=tar', `--output=${archive}`, commit], { cwd: root })
    execFileSync('tar', ['-xf', archive, '-C', folder])
    rmSync(archive)
    const sharesModules = hasModules(readLock(root), readLock(folder))
    if (sharesModules) shareModules(folder)
    else if (mayInstall) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
    else return void remove()
    return { folder, sharesModules, [Symbol.dispose]: remove }
  } catch (error) {
    remove()
    throw error
  }
}

interface LockFile {
  readonly packages: Readonly<Record<string, { version?: string; link?: boolean; dev?: boolean }>>
}

function readLock(folder: string): LockFile {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
}

// The paths of libraries that services use; the command line and the guide have separate ones.
const ofServices = /^(packages\/[^/]+\/|apps\/(api|worker|scheduler)\/)?node_modules\//

/** Whether a lock file contains every library that the services of another use, in the same version. */
export function hasModules({ packages: here }: LockFile, { packages: wanted }: LockFile): boolean {
  return Object.entries(wanted)
    .filter(([path, { link, dev }]) => ofServices.test(path) && !link && !dev)
    .every(([path, { version }]) => here[path]?.version === version)
}

/** Libraries are linked from this checkout; our own packages are those of the folder. */
export function shareModules(folder: string): void {
  linkEntries(join(root, 'node_modules'), join(folder, 'node_modules'), ['@lathe'])
  const own = join(folder, 'node_modules/@lathe')
  mkdirSync(own)
  for (const parent of ['packages', 'apps']) {
    for (const name of readdirSync(join(folder, parent))) {
      const path = join(folder, parent, name)
      symlinkSync(path, join(own, name))
      const nested = join(root, parent, name, 'node_modules')
      if (existsSync(nested)) linkEntries(nested, join(path, 'node_modules'), [])
    }
  }
}

function linkEntries(from: string, to: string, except: readonly string[]): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (!except.includes(name)) symlinkSync(join(from, name), join(to, name))
  }
}
