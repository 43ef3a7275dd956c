import { describe, expect, it } from 'vitest'
import { completeLockfile } from './lockfile.ts'

const lock = (packages: Record<string, unknown>) => JSON.stringify({ lockfileVersion: 3, packages })

describe('completeLockfile', () => {
  it('adds the builds of other platforms, with what makes npm leave them out', () => {
    const given = lock({
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { 'tool-linux-x64-musl': '1.0.0', 'tool-win32-arm64-msvc': '1.0.0' },
      },
    })
    const { packages } = JSON.parse(completeLockfile(given))
    const added = { version: '1.0.0', dev: true, optional: true }
    expect(packages['node_modules/tool-linux-x64-musl']).toEqual({
      ...added,
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
    })
    expect(packages['node_modules/tool-win32-arm64-msvc']).toEqual({ ...added, os: ['win32'], cpu: ['arm64'] })
  })

  it('knows the platform of packages that call it windows', () => {
    const given = lock({
      'node_modules/tool': { version: '1.0.0', optionalDependencies: { '@tool/windows-x64': '1.0.0' } },
    })
    const { packages } = JSON.parse(completeLockfile(given))
    expect(packages['node_modules/@tool/windows-x64']).toMatchObject({ os: ['win32'], cpu: ['x64'] })
  })

  it('leaves a package alone that is locked inside the one that wants it', () => {
    const nested = { version: '1.0.0', integrity: 'sha512-x' }
    const given = lock({
      'node_modules/tool': { version: '1.0.0', optionalDependencies: { 'tool-linux-x64': '1.0.0' } },
      'node_modules/tool/node_modules/tool-linux-x64': nested,
    })
    const { packages } = JSON.parse(completeLockfile(given))
    expect(Object.keys(packages)).toHaveLength(2)
    expect(packages['node_modules/tool/node_modules/tool-linux-x64']).toEqual(nested)
  })

  it('changes nothing the second time', () => {
    const once = completeLockfile(
      lock({ 'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-darwin-arm64': '1.0.0' } } }),
    )
    expect(completeLockfile(once)).toBe(once)
  })
})
