import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = new URL('./describe-image.ts', import.meta.url).pathname
const say = (...args: readonly string[]) =>
  execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

describe('what a release says about an image', () => {
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

  const purlsOf = (image: string): string[] =>
    JSON.parse(say('sbom', image, folder)).components.map(({ purl }: { purl: string }) => purl)

  it('is its OCI labels', () => {
    const labels = say('labels', 'lathe-worker').trim().split('\n')
    const names = labels.map((line) => line.slice('org.opencontainers.image.'.length, line.indexOf('=')))
    expect(names).toEqual(['title', 'description', 'licenses', 'version', 'revision'])
    expect(labels).toContain('org.opencontainers.image.title=lathe-worker')
    expect(labels.at(-1)).toMatch(/=[0-9a-f]{40}$/)
  })

  it('is its bill of materials, from the lists of packages in its files', () => {
    expect(purlsOf('lathe')).toEqual([
      'pkg:deb/debian/tini@0.19.0-3?distro=trixie',
      `pkg:generic/node@${process.versions.node}`,
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

  it('is nothing where a worker has no engine root, or there is no such image', () => {
    expect(() => say('sbom', 'lathe-worker-media', folder)).toThrow('Command failed')
    expect(() => say('labels', 'lathe-other')).toThrow('Command failed')
  })
})
