import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('the images get every npm package that runners import, and no other', () => {
  const names = read('scripts/engine-root/modules.txt').match(/^[^#\n].*$/gm) ?? []
  const program = join(root, 'scripts/engine-root/list-modules.mjs')
  const modules = execFileSync(process.execPath, [program, root, ...names], { encoding: 'utf8' })
    .trim()
    .split('\n')
  // A folder is copied with all that is in it; `node` runs the script that builds the root.
  const folders = modules.map((line) => line.split('/').slice(0, 2).join('/').split(' ')[0])
  const copied = [...read('Dockerfile').matchAll(/^COPY (node_modules\/[^/\s]+)\/ /gm)].map(([, folder]) => folder)
  expect(copied.sort()).toEqual([...new Set([...folders, 'node_modules/node'])].sort())
})
