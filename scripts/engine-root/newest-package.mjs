// Prints when the newest package of an engine root was made: `newest-package.mjs ROOT [TREE]`. It is the latest time of a
// file that a package ships, which depends on the versions alone: the same packages always give the same time. Packages of
// the tree that the root began with do not count, because in an image the build may have set the times of their files.
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [root, tree] = process.argv.slice(2)
const given = tree ? packagesOf(tree) : new Map()
let newest = 0
for (const [name, version] of packagesOf(root)) {
  if (given.get(name) === version) continue
  for (const path of filesOf(name)) {
    // Translations and documentation may have been left out.
    const file = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (file?.isFile()) newest = Math.max(newest, file.mtimeMs)
  }
}
if (newest === 0) throw new Error(`${root} has no file of a package that is not in ${tree ?? 'another tree'}`)
console.log(new Date(Math.floor(newest / 1000) * 1000).toISOString())

/** The version of each package, by its name and architecture. */
function packagesOf(folder) {
  const text = readFileSync(join(folder, 'var/lib/dpkg/status'), 'utf8')
  return new Map(
    text
      .split('\n\n')
      .map((entry) =>
        Object.fromEntries([...entry.matchAll(/^(\w+): (.*)$/gm)].map(([, field, value]) => [field, value])),
      )
      .filter(({ Package }) => Package)
      .map(({ Package, Architecture, Version }) => [`${Package}:${Architecture}`, Version]),
  )
}

/** What a package ships. Only where a package may be there for several architectures, the name of its list has one. */
function filesOf(name) {
  const lists = [name, name.split(':')[0]].map((part) => join(root, `var/lib/dpkg/info/${part}.list`))
  const list = lists.find((path) => existsSync(path))
  return list ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
}
