import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { targets } from './targets.ts'

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

/** The stages by name: what each begins with, and its text. */
const stages = new Map(
  [...read('Dockerfile').matchAll(/^FROM (\S+) AS (\S+)\n([\s\S]*?)(?=^FROM |$(?![\s\S]))/gm)].map(
    ([, from = '', name = '', text = '']) => [name, { from, text }],
  ),
)

it.each(targets)('the image $name has the updates that its base image lacks', ({ name }) => {
  const texts: string[] = []
  for (let stage = stages.get(name); stage; stage = stages.get(stage.from)) texts.unshift(stage.text)
  // Before anything is installed, so that what is installed fits what is there.
  const commands = [...texts.join('').matchAll(/apt-get .*?(update|dist-upgrade|install)/g)].map(
    ([, command]) => command,
  )
  expect(commands.slice(0, 3)).toEqual(['update', 'dist-upgrade', 'install'])
})
