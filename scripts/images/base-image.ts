import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, run, succeeds } from '../containers/podman.ts'

const root = new URL('../../', import.meta.url).pathname
const name = 'localhost/lathe-base:trixie'

// Not needed in an image; packages installed later do not bring them either.
const unread = ['doc', 'info', 'lintian', 'locale', 'man']

/**
 * A minimal Debian from the archive that this machine's apt uses: for builds without access to a registry. Made once,
 * unless it is to be refreshed.
 */
export function ensureBaseImage(epoch: number, isRefreshed = false): string {
  if (!isRefreshed && succeeds(['podman', 'image', 'exists', name])) return name
  const folder = mkdtempSync('/var/tmp/lathe-base-')
  try {
    run(['bash', join(root, 'scripts/engine-root.sh'), '--debian', folder])
    writeFileSync(
      join(folder, 'etc/dpkg/dpkg.cfg.d/lathe'),
      unread.map((part) => `path-exclude /usr/share/${part}/*\n`).join(''),
    )
    const left = ['dev', 'var/cache', 'var/log', 'var/lib/apt/lists', ...unread.map((part) => `usr/share/${part}`)]
    for (const part of left) run(['find', join(folder, part), '-mindepth', '1', '-delete'])
    for (const file of ['resolv.conf', 'hostname']) rmSync(join(folder, 'etc', file), { force: true })
    const tar = `tar --create --numeric-owner --sort=name --mtime=@${epoch} --directory "$1" .`
    read(['bash', '-o', 'pipefail', '-c', `${tar} | podman import - "$2"`, 'import', folder, name])
    return name
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
