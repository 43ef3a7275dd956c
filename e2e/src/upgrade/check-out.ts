import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from './find-release.ts'
import { root } from './root.ts'

/** The sources of a release, ready to run. */
export interface Checkout extends Disposable {
  readonly folder: string
  /** Whether the libraries are those of this checkout: all that it needs are there, in the same versions. */
  readonly sharesModules: boolean
}

/** Unpacks a release into a folder of its own, with the libraries its lock file names. */
export function checkOut({ commit }: Release, { mayInstall }: { readonly mayInstall: boolean }): Checkout | undefined {
  // In /var/tmp and open to all: sandboxes run as a user of their own.
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

// Where libraries lie that services run with; the command line and the guide have their own.
const ofServices = /^(packages\/[^/]+\/|apps\/(api|worker|scheduler)\/)?node_modules\//

/** Whether a lock file names every library that the services of another run with, in the same version. */
export function hasModules({ packages: here }: LockFile, { packages: wanted }: LockFile): boolean {
  return Object.entries(wanted)
    .filter(([path, { link, dev }]) => ofServices.test(path) && !link && !dev)
    .every(([path, { version }]) => here[path]?.version === version)
}

/** Libraries come from this checkout by links; our own packages are those of the folder. */
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
