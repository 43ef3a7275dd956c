/**
 * `npm run compose-rehearsal`: runs the compose file on podman as an operator would, without Docker: from images to the
 * first converted file, then down and up again, with all data still there. Run `npm run images` first.
 *
 *   --tag=dev                     the images to use
 *   --worker=lathe-worker-media   another worker than the one with all engines
 *   --engine-roots=DIR            the engine roots of this machine, instead of the one in the worker's image
 *   --keep                        leave it running
 *
 * The last line is `N passed, N failed`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ComposeFile, parseCompose, parseEnv } from './compose/compose-file.ts'
import { createProject, down, remove, up } from './compose/project.ts'
import { convertOnce, monitor, readBack } from './compose/visit.ts'
import { ensurePackages, read, run } from './containers/podman.ts'
import { ensureBaseImage } from './images/base-image.ts'

const standInNames = ['postgres', 'valkey', 'caddy', 'prometheus']
const limitMs = 3 * 60_000
const name = 'lathe-rehearsal'
const { values } = parseArgs({
  options: {
    tag: { type: 'string', default: 'dev' },
    worker: { type: 'string', default: 'lathe-worker' },
    'engine-roots': { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})

ensurePackages(['podman', 'buildah', 'runc', 'debootstrap'])
buildStandIns()
const folder = mkdtempSync('/var/tmp/lathe-rehearsal-')
const start = Date.now()
const seconds = () => ((Date.now() - start) / 1000).toFixed(1)
const results: boolean[] = []
const check = (what: string, holds: boolean) => {
  results.push(holds)
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what} (${seconds()} s)`)
}

const owner = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
const image = `localhost/lathe:${values.tag}`
// As described in docs/install.md.
read([
  'podman',
  'run',
  '--rm',
  '--runtime',
  'runc',
  '--network',
  'none',
  ...limits(),
  '--user',
  owner,
  '--volume',
  `${folder}:/install`,
  image,
  'init',
  '--host',
  'localhost',
])
const env = {
  ...parseEnv(readFileSync(join(folder, '.env'), 'utf8')),
  LATHE_VERSION: values.tag,
  LATHE_WORKER_IMAGE: values.worker,
  ...standIns(),
}
const compose = withEngineRoots(parseCompose(readFileSync(join(folder, 'compose.yaml'), 'utf8'), env))
remove(name, compose)
try {
  const project = createProject({ name, folder, alsoStarted: ['prometheus'] }, compose)
  await up(project, compose)
  check('everything is up', true)
  const key = read([
    'podman',
    'exec',
    `${name}-api`,
    '/usr/local/bin/lathe',
    'create-user',
    '--name',
    'first',
    '--with-key',
    '--key-only',
  ]).trim()
  const visit = { container: `${name}-caddy`, key, folder }
  const first = await convertOnce(visit)
  check(`the first file is converted: ${first.bytes} bytes`, first.bytes > 0)
  check(`that took less than ${limitMs / 1000} s`, Date.now() - start < limitMs)
  const watched = monitor(`${name}-prometheus`)
  check(
    `Prometheus reads api and scheduler: ${watched.up.join(' ')}`,
    ['api', 'scheduler'].every((app) => watched.up.includes(app)),
  )
  check(`Prometheus has ${watched.alerts} alerts`, watched.alerts > 0)
  const codes = down(project, compose)
  check(
    `all ended well when asked: ${JSON.stringify(codes)}`,
    ['api', 'worker', 'scheduler'].every((app) => codes[app] === 0),
  )
  await up(project, compose)
  check('everything is up again', true)
  const again = await readBack(visit, first)
  check('the file of before can be downloaded', again.bytes === first.bytes)
  const second = await convertOnce(visit)
  check('the key of before converts another', second.bytes > 0)
} catch (error) {
  check(String(error), false)
} finally {
  if (!values.keep) {
    remove(name, compose)
    rmSync(folder, { recursive: true, force: true })
  }
}
const failed = results.filter((holds) => !holds).length
console.log(`${results.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function withEngineRoots(file: ComposeFile): ComposeFile {
  const roots = values['engine-roots']
  const { worker } = file.services
  if (roots === undefined || worker === undefined) return file
  const volumes = [...(worker.volumes ?? []), `${roots}:/var/lib/lathe/engine-roots:ro`]
  return { ...file, services: { ...file.services, worker: { ...worker, volumes } } }
}

function standIns(): Record<string, string> {
  return Object.fromEntries(
    standInNames.map((part) => [`${part.toUpperCase()}_IMAGE`, `localhost/lathe-stand-in-${part}`]),
  )
}

function buildStandIns(): void {
  const base = ensureBaseImage(0)
  const context = new URL('compose/stand-ins', import.meta.url).pathname
  for (const part of standInNames) {
    run([
      ...['podman', 'build', '--quiet', '--isolation', 'chroot', '--network', 'host', '--format', 'docker', '--layers'],
      ...['--build-arg', `BASE=${base}`, '--target', part, '--tag', `localhost/lathe-stand-in-${part}`, context],
    ])
  }
}

// These cannot be raised where CI itself runs in a container.
function limits(): readonly string[] {
  return ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=8192:8192']
}
