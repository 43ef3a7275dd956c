import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from './find-release.ts'
import { root } from './root.ts'

/** The sources of a release, ready to run. */
export interface Checkout extends Disposable {
  readonly folder: string
  /** Whether the libraries are those of this checkout: they are the same. */
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
    const sharesModules = lockedModules(folder) === lockedModules(root)
    if (sharesModules) shareModules(folder)
    else if (mayInstall) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
    else return void remove()
    return { folder, sharesModules, [Symbol.dispose]: remove }
  } catch (error) {
    remove()
    throw error
  }
}

interface Locked {
  readonly version?: string
  readonly link?: boolean
}

/** The versions a lock file puts into node_modules; our own packages are left out. */
function lockedModules(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const modules = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
  return JSON.stringify(modules.map(([path, { version }]) => [path, version]).sort())
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
