import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from '../containers/podman.ts'

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export interface PackedImage {
  /** The total download size. */
  readonly bytes: number
  /** The layer of our own code: the whole download of an upgrade that changes nothing else. */
  readonly codeBytes: number
}

interface Manifest {
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}

const oci = 'application/vnd.oci.image'
// Files of a layer repeat what others have, often 100 MB before them. Higher levels take much longer for little. Node's own zstd
// fails with several threads (nodejs/node#59899).
const compression = ['zstd', '-17', '--long=27', '--threads=0', '--quiet', '--force']

/**
 * Makes an OCI layout of images as registries store them: layers compressed with zstd, which Docker has supported since
 * version 23. Layers that images share are compressed once. The configuration is in Docker's format, because podman
 * drops the health check when it writes OCI's.
 */
export function createLayout(folder: string) {
  const blobs = join(folder, 'blobs/sha256')
  const packed = new Map<string, Promise<Descriptor>>()
  const entries: (Descriptor & { annotations: Record<string, string> })[] = []
  mkdirSync(blobs, { recursive: true })
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')

  /** Adds an image under a short name and returns its download size. */
  async function add(image: string, name: string): Promise<PackedImage> {
    const plain = join(folder, 'plain')
    rmSync(plain, { recursive: true, force: true })
    run(['podman', 'save', '--quiet', '--uncompressed', '--format', 'docker-dir', '--output', plain, image])
    const given = JSON.parse(readFileSync(join(plain, 'manifest.json'), 'utf8')) as Manifest
    const layers: Descriptor[] = []
    for (const { digest } of given.layers) layers.push(await compressOnce(plain, digest))
    const config = writeBlob(`${oci}.config.v1+json`, readFileSync(join(plain, hexOf(given.config.digest))))
    const manifest = { schemaVersion: 2, mediaType: `${oci}.manifest.v1+json`, config, layers }
    const annotations = { 'org.opencontainers.image.ref.name': name }
    entries.push({ ...writeBlob(manifest.mediaType, Buffer.from(JSON.stringify(manifest))), annotations })
    writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: entries }))
    rmSync(plain, { recursive: true })
    return { bytes: layers.reduce((sum, { size }) => sum + size, 0), codeBytes: layers.at(-1)?.size ?? 0 }
  }

  function compressOnce(plain: string, digest: string): Promise<Descriptor> {
    const known = packed.get(digest) ?? compress(join(plain, hexOf(digest)))
    packed.set(digest, known)
    return known
  }

  async function compress(file: string): Promise<Descriptor> {
    const into = join(folder, 'compressing')
    run([...compression, file, '-o', into])
    const hash = createHash('sha256')
    await pipeline(createReadStream(into), hash)
    const hex = hash.digest('hex')
    const { size } = statSync(into)
    renameSync(into, join(blobs, hex))
    return { mediaType: `${oci}.layer.v1.tar+zstd`, digest: `sha256:${hex}`, size }
  }

  function writeBlob(mediaType: string, bytes: Buffer): Descriptor {
    const hex = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(join(blobs, hex), bytes)
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length }
  }

  return { add }
}

function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1)
}
