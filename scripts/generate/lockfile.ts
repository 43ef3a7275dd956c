interface LockedPackage {
  version: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

interface Lockfile {
  packages: Record<string, LockedPackage>
}

/**
 * Adds every platform's build of a native package to the lock file. npm leaves out those the current registry does not
 * have, and `npm ci` then refuses the whole lock file on any machine.
 */
export function completeLockfile(text: string): string {
  const lock = JSON.parse(text) as Lockfile
  for (const [path, locked] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
      if (isLocked(lock, path, name)) continue
      lock.packages[`node_modules/${name}`] = {
        version,
        ...(locked.dev ? { dev: true } : {}),
        optional: true,
        ...platformOf(name),
      }
    }
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`
}

/** Looks up a package like Node: in the folder of the package that needs it, then upwards. */
function isLocked(lock: Lockfile, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

// The names of such packages contain the platform: `core-linux-arm64-musl`, `binding-win32-x64-msvc`, `windows-arm64`.
const platform = /(android|darwin|freebsd|linux|openharmony|win32|windows|wasm32)-(wasi|[a-z0-9]+)(?:-([a-z]+))?$/

/** The fields that make npm skip packages for other platforms. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const [, os, cpu, abi] = platform.exec(name) ?? []
  if (os === undefined || cpu === undefined) throw new Error(`${name} does not say which platform it is for`)
  if (os === 'wasm32') return { cpu: ['wasm32'] }
  const libc = os !== 'linux' ? undefined : abi?.startsWith('musl') ? 'musl' : 'glibc'
  return { os: [os === 'windows' ? 'win32' : os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) }
}
