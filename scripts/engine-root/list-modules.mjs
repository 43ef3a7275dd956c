// Prints `folder version` for every npm package a runner needs: the named ones and all that they depend on.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [root, ...names] = process.argv.slice(2)
const found = new Map()
for (const name of names) add(root, name, true)
for (const [folder, version] of [...found].sort()) console.log(`${folder} ${version}`)

/** Looks where Node would: in the dependant's own node_modules, then further up. */
function add(from, name, required) {
  const own = join(from, 'node_modules', name)
  const folder = existsSync(own) ? own : join(root, 'node_modules', name)
  if (!existsSync(folder)) {
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
