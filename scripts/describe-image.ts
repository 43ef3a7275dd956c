/**
 * Prints what a release says about one of its images:
 *
 *   describe-image.ts labels lathe-worker         its OCI labels, one per line
 *   describe-image.ts sbom lathe-worker FOLDER    its bill of materials (CycloneDX), from the file tree of the image
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageLabels } from './images/image-labels.ts'
import { readMaterials } from './images/read-materials.ts'
import { toSbom } from './images/sbom.ts'
import { targets } from './images/targets.ts'

const root = new URL('..', import.meta.url).pathname
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const [what, image = '', folder = ''] = process.argv.slice(2)
if (!targets.some(({ name }) => name === image)) throw new Error(`there is no image ${image}`)
console.log(what === 'labels' ? labels() : sbom())

function labels(): string {
  const pairs = Object.entries(imageLabels({ image, version, revision: gitSays('rev-parse', 'HEAD') }))
  return pairs.map(([name, text]) => `${name}=${text}`).join('\n')
}

function sbom(): string {
  const timestamp = new Date(Number(gitSays('log', '-1', '--format=%ct')) * 1000).toISOString()
  const materials = { ...readMaterials(image, folder), version, timestamp, node: process.versions.node }
  return JSON.stringify(toSbom(materials), undefined, 2)
}

function gitSays(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
