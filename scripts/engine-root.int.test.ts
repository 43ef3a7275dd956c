import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = new URL('./engine-root.sh', import.meta.url).pathname
let roots: string
beforeEach(() => {
  roots = mkdtempSync(join(tmpdir(), 'lathe-roots-'))
})
afterEach(() => rmSync(roots, { recursive: true, force: true }))

const env = () => ({ ...process.env, LATHE_ENGINE_ROOTS: roots })
const print = () => execFileSync('bash', [script, '--print'], { env: env(), encoding: 'utf8' }).trim()

/** The hash of what the root of this checkout is made from. */
function recipeOf(): string {
  const { stderr, status } = spawnSync('bash', [script, '--print'], { env: env(), encoding: 'utf8' })
  expect(status).toBe(1)
  return /the root ([0-9a-f]{16}) of this checkout is not built yet/.exec(stderr)?.[1] ?? ''
}

/** Puts a root there as if another machine had built it so many hours ago. */
function addRoot(name: string, hoursAgo: number): string {
  const path = join(roots, name)
  mkdirSync(path)
  writeFileSync(join(path, 'manifest.json'), '{}')
  const at = new Date(Date.now() - hoursAgo * 3_600_000)
  utimesSync(join(path, 'manifest.json'), at, at)
  return path
}

describe('S6: an engine root that is named by its recipe and the versions it came to', () => {
  it('is used on another machine, whatever its versions, and of several the newest', () => {
    const recipe = recipeOf()
    const old = addRoot(`${recipe}-${'a'.repeat(12)}`, 48)
    expect(print()).toBe(old)
    const recent = addRoot(`${recipe}-${'b'.repeat(12)}`, 1)
    addRoot(`${recipe}-${'c'.repeat(12)}`, 24)
    expect(print()).toBe(recent)
    execFileSync('bash', [script], { env: env(), stdio: 'pipe' })
    expect(readlinkSync(join(roots, 'current'))).toBe(`${recipe}-${'b'.repeat(12)}`)
  })

  it('may have been built before versions were part of its name', () => {
    const recipe = recipeOf()
    const before = addRoot(recipe, 48)
    expect(print()).toBe(before)
    const after = addRoot(`${recipe}-${'a'.repeat(12)}`, 1)
    expect(print()).toBe(after)
  })

  it('is not one that is half built, or made from something else', () => {
    const recipe = recipeOf()
    mkdirSync(join(roots, `${recipe}-${'d'.repeat(12)}`))
    addRoot(`${'0'.repeat(16)}-${'a'.repeat(12)}`, 1)
    expect(recipeOf()).toBe(recipe)
  })
})

// Runs nothing: the archives are those in its environment, an upgrade installs one engine of the version and the date there, and gcc makes an empty file.
const chroot = `#!/bin/bash
into=$1
case "$*" in
  *' indextargets '*) printf '%s\\n' "$SUITES" && exit ;;
  *' dist-upgrade') ;;
  *' gcc -shared '*) touch "$into/opt/lathe/lib/await-arguments.so" ;;&
  *) exit 0 ;;
esac
printf 'Package: engine\\nStatus: install ok installed\\nArchitecture: all\\nSource: machine (2.0)\\nVersion: %s\\n\\n' "$VERSION" >"$into/var/lib/dpkg/status"
echo /usr/bin/engine >"$into/var/lib/dpkg/info/engine.list"
touch -d "$MADE_ON" "$into/usr/bin/engine"
`

describe.runIf(process.getuid?.() === 0)('an engine root that is built', () => {
  beforeEach(() => {
    addTree()
    mkdirSync(join(roots, '.bin'))
    writeFileSync(join(roots, '.bin/chroot'), chroot, { mode: 0o755 })
  })

  /** A Debian tree that has every part conversions need, and no packages. */
  function addTree(): string {
    const tree = join(roots, '.tree')
    const required = readFileSync(new URL('./engine-root/required.txt', import.meta.url), 'utf8')
    const parts = required.split('\n').map((line) => line.replace(/#.*/, '').trim())
    const others = [
      'var/lib/dpkg/status',
      'var/lib/dpkg/info/x',
      'usr/bin/x',
      'usr/sbin/x',
      'etc/x',
      'tmp/x',
      'dev/null',
    ]
    for (const part of [...parts, ...others].filter(Boolean)) {
      mkdirSync(dirname(join(tree, part)), { recursive: true })
      writeFileSync(join(tree, part), '')
    }
    return tree
  }

  function runBuild(more: Readonly<Record<string, string>>) {
    const [path, tree] = [`${join(roots, '.bin')}:${process.env.PATH}`, join(roots, '.tree')]
    const given = { ...env(), PATH: path, LATHE_DEBIAN_TREE: tree, SUITES: 'trixie\ntrixie-security', ...more }
    return spawnSync('bash', [script, '--refresh'], { env: given, encoding: 'utf8' })
  }

  /** Builds with an engine of this version, and returns what the manifest of the current root says. */
  function build(version: string, madeOn: string): { name: string; upToDateAt: string; sources: object } {
    expect(runBuild({ VERSION: version, MADE_ON: madeOn })).toMatchObject({ status: 0 })
    return JSON.parse(readFileSync(join(roots, 'current/manifest.json'), 'utf8'))
  }

  it.each(['trixie\ntrixie-updates', 'trixie-security-old', ''])(
    'S6: is not built from a tree whose archives have no security updates: %j',
    (suites) => {
      const { status, stderr } = runBuild({ SUITES: suites, VERSION: '1.0', MADE_ON: '2026-03-01T00:00:00Z' })
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('add trixie-security') })
      expect(existsSync(join(roots, 'current'))).toBe(false)
    },
  )

  it('is as old as its newest package, until a refresh finds that nothing is newer', () => {
    const first = build('1.0', '2026-03-01T00:00:00Z')
    expect(first.upToDateAt).toBe('2026-03-01T00:00:00.000Z')
    expect(first.sources).toEqual({ engine: { name: 'machine', version: '2.0' } })
    const begun = Math.floor(Date.now() / 1000) * 1000
    const refreshed = build('1.0', '2026-03-01T00:00:00Z')
    expect(refreshed).toEqual({ ...first, upToDateAt: expect.anything() })
    expect(Date.parse(refreshed.upToDateAt)).toBeGreaterThanOrEqual(begun)
    const newer = build('1.1', '2026-04-01T00:00:00Z')
    expect(newer.upToDateAt).toBe('2026-04-01T00:00:00.000Z')
    expect(newer.name).not.toBe(first.name)
  })
})
