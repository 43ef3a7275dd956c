/**
 * `npm run images`: builds the container images and prints the compressed size of each next to its limit.
 *
 *   --only=lathe,lathe-worker-media   these images only
 *   --base=debian:trixie-slim         the base image; by default one is made from the Debian archive
 *   --refresh                         anew, with the packages the archive has now: the base image too, unless --base names it
 *   --tag=1.2.3                       by default `dev`
 *   --source=https://...              the label with the address of the repository
 *   --registry=host/path              where the images will be published, for `lathe init`; by default `localhost`
 *   --no-measure                      build only
 *   --out=FOLDER                      keep the images there as an OCI layout, as they are published
 *
 * Writes bills of materials (CycloneDX) to .lathe/images/. The last line is `N passed, N failed`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePackages, read, run } from './containers/podman.ts'
import { ensureBaseImage } from './images/base-image.ts'
import { buildArguments } from './images/build-arguments.ts'
import { imageLabels } from './images/image-labels.ts'
import { createLayout } from './images/pack.ts'
import { readMaterials } from './images/read-materials.ts'
import { toSbom } from './images/sbom.ts'
import { staleCaches } from './images/stale-caches.ts'
import { codeLimitMb, type Target, targets } from './images/targets.ts'

const root = new URL('..', import.meta.url).pathname
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    base: { type: 'string' },
    refresh: { type: 'boolean', default: false },
    tag: { type: 'string', default: 'dev' },
    source: { type: 'string' },
    registry: { type: 'string', default: 'localhost' },
    'no-measure': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
})
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
// The same in every release: an unchanged layer keeps its digest and is not downloaded again.
const { SOURCE_DATE_EPOCH: epoch = '1767225600' } = process.env
const reports = join(root, '.lathe/images')
const layoutFolder = values.out ?? '/var/tmp/lathe-image-layout'

run([process.execPath, join(root, 'scripts/web-build.ts')])
run([process.execPath, join(root, 'scripts/docs-build.ts')])
ensurePackages(['podman', 'buildah', 'runc', 'debootstrap', 'zstd'])
mkdirSync(reports, { recursive: true })
const only = values.only?.split(',')
const chosen = targets.filter(({ name }) => only === undefined || only.includes(name))
const base = values.base ?? ensureBaseImage(Number(epoch), values.refresh)
if (values.out === undefined) rmSync(layoutFolder, { recursive: true, force: true })
else if (existsSync(layoutFolder)) throw new Error(`${layoutFolder} is there already`)
const layout = createLayout(layoutFolder)
const faults: string[] = []
for (const target of chosen) faults.push(...(await buildOne(target)))
if (values.out === undefined) rmSync(layoutFolder, { recursive: true })
for (const fault of faults) console.log(`FAILED ${fault}`)
const failed = new Set(faults.map((fault) => fault.split(':')[0])).size
console.log(`${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function buildOne(target: Target): Promise<readonly string[]> {
  const image = `localhost/${target.name}:${values.tag}`
  build(target.name, image)
  const stale = withMounted(image, (mounted) => {
    writeSbom(target.name, mounted)
    return staleCaches(mounted)
  })
  const faults = stale.map((cache) => `${target.name}: the cache of ${cache} does not fit the times of files`)
  return values['no-measure'] ? faults : [...faults, ...(await judge(target, image))]
}

function build(target: string, image: string): void {
  const labels = imageLabels({ image: target, version, revision, source: values.source })
  run([
    'podman',
    ...buildArguments({ target, image, base, epoch, registry: values.registry, labels, isRefreshed: values.refresh }),
    root,
  ])
}

async function judge({ name, limitMb }: Target, image: string): Promise<readonly string[]> {
  const { bytes, codeBytes } = await layout.add(image, name)
  const [mb, codeMb] = [bytes / 1e6, codeBytes / 1e6]
  const limit = limitMb === undefined ? 'no limit' : `at most ${limitMb} MB`
  console.log(
    `${name}: ${mb.toFixed(1)} MB compressed (${limit}), code ${codeMb.toFixed(1)} MB (at most ${codeLimitMb} MB)`,
  )
  return [
    ...(limitMb !== undefined && mb > limitMb ? [`${name}: ${mb.toFixed(1)} MB, not ${limitMb}`] : []),
    ...(codeMb > codeLimitMb ? [`${name}: code of ${codeMb.toFixed(1)} MB, not ${codeLimitMb}`] : []),
  ]
}

function writeSbom(name: string, mounted: string): void {
  const timestamp = new Date(Number(epoch) * 1000).toISOString()
  const sbom = toSbom({ ...readMaterials(name, mounted), version, timestamp, node: process.versions.node })
  writeFileSync(join(reports, `${name}.cdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`)
}

function withMounted<T>(image: string, use: (folder: string) => T): T {
  const mounted = read(['podman', 'image', 'mount', image]).trim()
  try {
    return use(mounted)
  } finally {
    run(['podman', 'image', 'unmount', image])
  }
}
