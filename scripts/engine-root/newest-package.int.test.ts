import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = new URL('./newest-package.mjs', import.meta.url).pathname
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lathe-packages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Package {
  readonly name: string
  readonly version?: string
  /** The day of each file that it ships; of those without a day, there is only the name in the list. */
  readonly files: Readonly<Record<string, string | undefined>>
  readonly list?: string
}

/** A Debian tree with these packages. */
function addTree(name: string, packages: readonly Package[]): string {
  const tree = join(folder, name)
  const info = join(tree, 'var/lib/dpkg/info')
  mkdirSync(info, { recursive: true })
  const entries = packages.map(
    ({ name, version = '1.0-1' }) =>
      `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${version}\nDescription: a\n b: c\n`,
  )
  writeFileSync(join(tree, 'var/lib/dpkg/status'), `${entries.join('\n')}\n`)
  for (const { name, files, list = name } of packages) {
    writeFileSync(join(info, `${list}.list`), `/.\n/usr\n${Object.keys(files).join('\n')}\n`)
    for (const [path, day] of Object.entries(files)) if (day) addFile(join(tree, path), day)
  }
  return tree
}

function addFile(path: string, day: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  utimesSync(path, new Date(day), new Date(day))
}

const timeOf = (...trees: readonly string[]) =>
  execFileSync(process.execPath, [script, ...trees], { encoding: 'utf8' }).trim()

describe('the newest package of an engine root', () => {
  it('is the one that ships the newest file; what the build itself wrote does not count', () => {
    const root = addTree('root', [
      { name: 'old', files: { '/usr/bin/old': '2026-03-01' } },
      { name: 'new', files: { '/usr/bin/new': '2026-04-01', '/usr/share/doc/new': undefined }, list: 'new:amd64' },
    ])
    addFile(join(root, 'etc/ld.so.cache'), '2026-05-01')
    expect(timeOf(root)).toBe('2026-04-01T00:00:00.000Z')
  })

  it('is not one of the tree that the root began with, unless it was upgraded since', () => {
    const base = { name: 'base', files: { '/usr/bin/base': '2026-06-01' } }
    const engine = { name: 'engine', files: { '/usr/bin/engine': '2026-04-01' } }
    const tree = addTree('tree', [base])
    expect(timeOf(addTree('root', [base, engine]), tree)).toBe('2026-04-01T00:00:00.000Z')
    const upgraded = { ...base, version: '1.0-1+deb13u1' }
    expect(timeOf(addTree('later', [upgraded, engine]), tree)).toBe('2026-06-01T00:00:00.000Z')
  })

  it('is never made up', () => {
    const { status, stderr } = spawnSync(process.execPath, [script, addTree('root', [])], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('has no file of a package')
  })
})
