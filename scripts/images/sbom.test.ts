import { describe, expect, it } from 'vitest'
import { type Materials, toSbom } from './sbom.ts'

const materials: Materials = {
  image: 'lathe-worker-media',
  version: '1.2.3',
  timestamp: '2026-01-01T00:00:00.000Z',
  modules: [
    { folder: 'node_modules/pino', version: '10.0.0' },
    { folder: 'node_modules/@fastify/cors', version: '11.1.0' },
    { folder: 'node_modules/bullmq/node_modules/semver', version: '7.5.0' },
  ],
  debian: { tini: '0.19.0-3+b3', libc6: '2.41-12' },
  manifest: {
    node: '24.21.0',
    architecture: 'amd64',
    packages: { libc6: '2.41-12+deb13u1', ffmpeg: '7:7.1.1-1', 'libstdc++6': '14.2.0-19' },
    modules: { sharp: '0.34.0', '@img/sharp-linux-x64': '0.34.0', pino: '10.0.0' },
  },
  node: '24.21.0',
}
const purlsOf = (of: Materials) => toSbom(of).components.map(({ purl }) => purl)

describe('the bill of materials of an image', () => {
  it('names the image and its release, in a form that other tools read', () => {
    expect(toSbom(materials)).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        timestamp: '2026-01-01T00:00:00.000Z',
        component: { type: 'container', name: 'lathe-worker-media', version: '1.2.3' },
      },
    })
  })

  it('has Node, the npm packages of the code and of the runners, and the Debian packages of the image and of the engines', () => {
    expect(purlsOf(materials)).toEqual([
      'pkg:deb/debian/ffmpeg@7%3A7.1.1-1?distro=trixie',
      'pkg:deb/debian/libc6@2.41-12%2Bdeb13u1?distro=trixie',
      'pkg:deb/debian/libc6@2.41-12?distro=trixie',
      'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?distro=trixie',
      'pkg:deb/debian/tini@0.19.0-3%2Bb3?distro=trixie',
      'pkg:generic/node@24.21.0',
      'pkg:npm/%40fastify/cors@11.1.0',
      'pkg:npm/%40img/sharp-linux-x64@0.34.0',
      'pkg:npm/pino@10.0.0',
      'pkg:npm/semver@7.5.0',
      'pkg:npm/sharp@0.34.0',
    ])
  })

  it('refers to every component once', () => {
    const references = toSbom(materials).components.map((component) => component['bom-ref'])
    expect(new Set(references).size).toBe(references.length)
  })

  it('is the same, whatever the order in which packages are found', () => {
    const { debian, modules } = materials
    const other = {
      ...materials,
      modules: modules.toReversed(),
      debian: Object.fromEntries(Object.entries(debian).reverse()),
    }
    expect(JSON.stringify(toSbom(other))).toBe(JSON.stringify(toSbom(materials)))
  })

  it('has no engines where an image has none', () => {
    const { manifest: _, ...rest } = materials
    expect(purlsOf({ ...rest, image: 'lathe' })).not.toContain('pkg:npm/sharp@0.34.0')
  })
})
