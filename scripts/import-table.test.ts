import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const table: Readonly<Record<string, readonly string[]>> = createRequire(import.meta.url)('./import-table.cjs')

const sources = execFileSync('git', ['ls-files', '-z', '--', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)))

// Statements begin a line; what stands inside a text, as in the code that the web app shows, does not count.
const statement = /(?:^(?:import|export|\}).* from |\bimport\()'(?:@lathe\/|(?:\.\.\/)+packages\/)([a-z0-9-]+)['/]/gm

function importsOf(folder: string): Set<string> {
  const own = folder.split('/').at(-1)
  const found = sources
    .filter((path) => path.startsWith(`${folder}/`))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(statement)])
    .map(([, name = '']) => name)
  return new Set(found.filter((name) => name !== own))
}

describe.each(Object.entries(table))('%s', (folder, allowed) => {
  const imports = importsOf(folder)

  it('imports all that the table allows, and nothing else', () => {
    expect([...imports].filter((name) => name !== 'testing').sort()).toEqual(allowed)
  })

  it('names all of it in its package.json', () => {
    const manifest = join(root, folder, 'package.json')
    if (!existsSync(manifest)) return expect(folder).toBe('scripts')
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    const named = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name.startsWith('@lathe/'))
    expect(named.map((name) => name.slice('@lathe/'.length)).sort()).toEqual([...imports].sort())
  })
})
