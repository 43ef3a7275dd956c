import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const image = 'localhost/lathe-sandbox-base:1'
// What a launch needs on the host: bubblewrap, and programs that drop privileges and set limits.
const packages = ['bubblewrap', 'util-linux', 'bash']

/** The name of a plain Debian image with bwrap; made with debootstrap the first time, without a registry. */
export async function baseImage(): Promise<string> {
  const isThere = await run('podman', ['image', 'exists', image]).then(
    () => true,
    () => false,
  )
  if (!isThere) await makeImage()
  return image
}

async function makeImage(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lathe-base-'))
  const [root, archive] = [join(folder, 'root'), join(folder, 'root.tar')]
  try {
    await run('debootstrap', ['--variant=minbase', `--include=${packages.join()}`, 'bookworm', root], { maxBuffer })
    await run('tar', ['--create', '--file', archive, '--directory', root, '.'])
    await run('podman', ['import', archive, image])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const maxBuffer = 64 * 1024 ** 2
