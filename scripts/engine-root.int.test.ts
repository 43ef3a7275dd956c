import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
