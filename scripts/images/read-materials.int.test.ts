import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readMaterials } from './read-materials.ts'
import { toSbom } from './sbom.ts'

describe('the bill of materials of an image', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lathe-image-'))
    const entry = { Package: 'tini', Status: 'install ok installed', Architecture: 'amd64', Version: '0.19.0-3' }
    const status = Object.entries(entry).map(([name, text]) => `${name}: ${text}\n`)
    addFile('var/lib/dpkg/status', `${status.join('')}Maintainer: a\nDescription: b\n`)
    addFile('opt/lathe/modules.json', JSON.stringify([{ folder: 'node_modules/pino', version: '10.0.0' }]))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function addFile(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  function purlsOf(image: string): readonly string[] {
    const given = { version: '1.0.0', timestamp: new Date(0).toISOString(), node: '24.0.0' }
    return toSbom({ ...readMaterials(image, folder), ...given }).components.map(({ purl }) => purl)
  }

  it('comes from the lists of packages in its files', () => {
    expect(purlsOf('lathe')).toEqual([
      'pkg:deb/debian/tini@0.19.0-3?distro=trixie',
      'pkg:generic/node@24.0.0',
      'pkg:npm/pino@10.0.0',
    ])
    const manifest = {
      node: '1',
      architecture: 'amd64',
      packages: { ffmpeg: '7:7.1.1-1' },
      modules: { sharp: '0.34.0' },
    }
    addFile('var/lib/lathe/engine-roots/media-a-b/manifest.json', JSON.stringify(manifest))
    expect(purlsOf('lathe-worker-media')).toEqual(
      expect.arrayContaining(['pkg:deb/debian/ffmpeg@7%3A7.1.1-1?distro=trixie', 'pkg:npm/sharp@0.34.0']),
    )
  })

  it('is refused for a worker without an engine root', () => {
    expect(() => readMaterials('lathe-worker-media', folder)).toThrow()
  })
})
