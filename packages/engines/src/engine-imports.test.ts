import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = import.meta.dirname
const engineList = readFileSync(join(root, 'engines.ts'), 'utf8')

/** The directories that the list of engines imports from. Other directories hold code that several engines share. */
const engineDirs = new Set([...engineList.matchAll(/from '\.\/([a-z-]+)\//g)].map(([, dir]) => dir))
// It adds abilities to other engines and is not an engine.
engineDirs.delete('thumbnail')

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(ts|mjs)$/.test(file) && !file.includes('.test.') && !file.startsWith('testing/'),
)

const dirOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '')

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
    relative(root, resolve(root, dirname(file), path)),
  )
}

describe('the directory of an engine', () => {
  it('is one of a few', () => {
    expect(engineDirs.size).toBeGreaterThan(12)
    expect(engineDirs).toContain('ffmpeg')
  })

  it('is imported by no other directory', () => {
    const edges = files
      .filter((file) => dirOf(file) !== '')
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ file, target }) => engineDirs.has(dirOf(target)) && dirOf(target) !== dirOf(file))
    expect(edges.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })
})
