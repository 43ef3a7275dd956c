/**
 * `npm run e2e:images [-- filter]`: runs the end-to-end scenarios against api, scheduler and worker in containers: as
 * an unprivileged user without capabilities, on a read-only root. Run `npm run images` first.
 *
 *   --tag=dev                     the images to use
 *   --worker=lathe-worker-media   another worker than the one with all engines
 *   --engine-roots=DIR            the engine roots of this machine, instead of the one in the worker's image
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePackages, read, run, succeeds } from './containers/podman.ts'

const root = new URL('..', import.meta.url).pathname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tag: { type: 'string', default: 'dev' },
    worker: { type: 'string', default: 'lathe-worker' },
    'engine-roots': { type: 'string' },
  },
})

ensurePackages(['podman', 'runc'])
for (const name of ['lathe', values.worker]) {
  const image = `localhost/${name}:${values.tag}`
  if (!succeeds(['podman', 'image', 'exists', image])) throw new Error(`${image} is missing: npm run images`)
}
const filter = join(root, '.lathe/images/seccomp-worker.json')
copyFilter(`localhost/lathe:${values.tag}`)
// One changes the sources, and the other the clocks of processes: images have the sources, and no library for clocks.
const excluded = ['extending', 'retention'].map((name) => `--exclude=e2e/src/scenarios/${name}.test.ts`)
run(['vitest', 'run', '--project', 'e2e', ...excluded, ...positionals], {
  LATHE_TEST_IMAGES: values.tag,
  LATHE_TEST_WORKER_IMAGE: values.worker,
  LATHE_TEST_SECCOMP: filter,
  ...(values['engine-roots'] && { LATHE_TEST_ENGINE_ROOTS: values['engine-roots'] }),
})

function copyFilter(image: string): void {
  mkdirSync(join(root, '.lathe/images'), { recursive: true })
  const mounted = read(['podman', 'image', 'mount', image]).trim()
  try {
    copyFileSync(join(mounted, 'opt/lathe/deploy/seccomp-worker.json'), filter)
  } finally {
    read(['podman', 'image', 'unmount', image])
  }
}
