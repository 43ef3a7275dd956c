/**
 * Collects what apps need to run, and nothing else: `assemble.ts <checkout> <folder> <entry>...`. Copies our packages
 * that the entries reach, without tests, and from `node_modules` only what their sources import, with its dependencies.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { folderOf, traceImports } from './trace-imports.ts'

const [from = '.', into = '', ...entries] = process.argv.slice(2)
const checkout = resolve(from)
const { files, packages } = traceImports(checkout, entries)
const ours = new Set(files.map(folderOf))

for (const folder of ours) cpSync(join(checkout, folder), join(into, folder), { recursive: true, filter: isShipped })
for (const file of ['package.json', 'LICENSE']) cpSync(join(checkout, file), join(into, file))

const modules = listModules(packages)
for (const { folder } of modules) {
  cpSync(join(checkout, folder), join(into, folder), { recursive: true, dereference: true, filter: isRun })
}
linkOurs()
// For the software bill of materials.
writeFileSync(join(into, 'modules.json'), `${JSON.stringify(modules, undefined, 2)}\n`)

function isShipped(path: string): boolean {
  return !/(\/node_modules|\/testing|\.test\.ts|\/README\.md)$/.test(path.slice(checkout.length))
}

/** Types and source maps are only needed for development; license files stay. */
function isRun(path: string): boolean {
  return !/\.(d\.[cm]?ts|map|tsbuildinfo)$/.test(path)
}

function listModules(names: readonly string[]): readonly { folder: string; version: string }[] {
  const program = join(checkout, 'scripts/engine-root/list-modules.mjs')
  const said = execFileSync(process.execPath, [program, checkout, ...names], { encoding: 'utf8' })
  const all = said.trim().split('\n')
  return all
    .filter((line) => line !== '')
    .map((line) => {
      const [folder = '', version = ''] = line.split(' ')
      return { folder, version }
    })
}

function linkOurs(): void {
  for (const folder of ours) {
    if (!folder.startsWith('packages/')) continue
    const { name } = JSON.parse(readFileSync(join(checkout, folder, 'package.json'), 'utf8')) as { name: string }
    const link = join(into, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join('../..', folder), link)
  }
}
