import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { read } from '../containers/podman.ts'
import type { Materials } from './sbom.ts'

/** Finds what an image is made of in its file tree: a mounted image, or the part of it that lists packages. */
export function readMaterials(image: string, folder: string): Omit<Materials, 'version' | 'timestamp' | 'node'> {
  const json = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))
  return {
    image,
    modules: json('opt/lathe/modules.json'),
    debian: debianPackages(folder),
    // Only workers have engines.
    ...(image !== 'lathe' && { manifest: json(findManifest(folder)) }),
  }
}

function findManifest(folder: string): string {
  const roots = 'var/lib/lathe/engine-roots'
  const paths = readdirSync(join(folder, roots)).map((entry) => join(roots, entry, 'manifest.json'))
  const found = paths.find((path) => existsSync(join(folder, path)))
  if (!found) throw new Error(`there is no engine root in ${folder}`)
  return found
}

function debianPackages(folder: string): Record<string, string> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills the fields.
  const format = '${Package} ${Version}\\n'
  const said = read(['dpkg-query', `--admindir=${join(folder, 'var/lib/dpkg')}`, '--show', `--showformat=${format}`])
  return Object.fromEntries(
    said
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
}
