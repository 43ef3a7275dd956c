import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../containers/podman.ts'

export interface ImageSize {
  /** Everything, as it is downloaded. */
  readonly bytes: number
  /** The layer of our own code, which is all an upgrade downloads if nothing else changed. */
  readonly codeBytes: number
}

interface Manifest {
  readonly layers: readonly { readonly size: number }[]
}

/** Compresses the layers of an image as a registry would hold them, and adds them up. Layers that images share are compressed once. */
export function measureImage(image: string, folder: string): ImageSize {
  const name = image.replaceAll(/[^a-z0-9]+/g, '-')
  run(['podman', 'push', '--quiet', image, `oci:${folder}:${name}`])
  const index = readJson(join(folder, 'index.json')) as {
    manifests: readonly { digest: string; annotations?: Record<string, string> }[]
  }
  const digest = index.manifests.findLast(
    ({ annotations }) => annotations?.['org.opencontainers.image.ref.name'] === name,
  )?.digest
  if (!digest) throw new Error(`${image} did not arrive in ${folder}`)
  const { layers } = readJson(join(folder, 'blobs', ...digest.split(':'))) as Manifest
  return { bytes: layers.reduce((sum, { size }) => sum + size, 0), codeBytes: layers.at(-1)?.size ?? 0 }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
