// Prints `folder version` for every npm package a runner or an app needs: the named ones and all that they depend on. A name
// may say whose package it is: `packages/runtime:pino`.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const [given, ...names] = process.argv.slice(2)
const root = resolve(given)
const found = new Map()
for (const name of names) {
  const [own, of = ''] = name.split(':').reverse()
  add(join(root, of), own, true)
}
for (const [folder, version] of [...found].sort()) console.log(`${folder} ${version}`)

/** Looks where Node would: in the dependant's own node_modules, then further up. */
function find(from, name) {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  return from === root ? undefined : find(dirname(from), name)
}

function add(from, name, required) {
  const folder = find(from, name)
  if (!folder) {
    // Optional packages are those of other platforms.
    if (required) throw new Error(`${name} is not installed: run npm ci first`)
    return
  }
  const short = folder.slice(root.length + 1)
  if (found.has(short)) return
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  found.set(short, manifest.version)
  for (const dependency of Object.keys(manifest.dependencies ?? {})) add(folder, dependency, true)
  for (const dependency of Object.keys(manifest.optionalDependencies ?? {})) add(folder, dependency, false)
}
