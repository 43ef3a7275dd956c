/**
 * `npm run docs:build`: builds the guide into apps/guide/dist, which the api serves at /guide. Afterwards no page has
 * inline scripts or styles, every link between pages works, and files worth it have a compressed copy.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findDeadLinks } from './guide/check-links.ts'
import { adaptStyleSheet, moveInline } from './guide/move-inline.ts'
import { repairPage, repairScript } from './guide/repair.ts'
import { compressFiles } from './web/compress.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const app = join(root, 'apps/guide')
const dist = join(app, 'dist')

// Pages come from the whole repository, regardless of the current folder.
process.chdir(root)
process.env.ASTRO_TELEMETRY_DISABLED = '1'
const { build } = await import('astro')
await build({ root: app, logLevel: 'error' })

// The pages do not use these search interfaces.
for (const name of readdirSync(join(dist, 'pagefind'))) {
  if (/^pagefind-(component-ui|modular-ui|ui|highlight)\./.test(name)) rmSync(join(dist, 'pagefind', name))
}
const { pages, files } = moveInline(readAll('.html'), '/guide/_astro')
for (const [name, html] of pages) writeFileSync(join(dist, name), repairPage(html))
for (const [name, text] of files) writeFileSync(join(dist, '_astro', name), text)
for (const [name, css] of readAll('.css')) writeFileSync(join(dist, name), adaptStyleSheet(css))
for (const [name, script] of readAll('.js')) writeFileSync(join(dist, name), repairScript(script))

const dead = findDeadLinks(pages, new Set(listFiles()), '/guide')
if (dead.length > 0) throw new Error(`links that lead nowhere:\n${dead.join('\n')}`)
// The highest level takes three times as long for a few percent.
compressFiles(dist, 9)
console.log(`apps/guide/dist: ${pages.size} pages`)

function listFiles(): readonly string[] {
  const entries = readdirSync(dist, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(dist, join(parentPath, name)))
}

function readAll(ending: string): ReadonlyMap<string, string> {
  const names = listFiles().filter((name) => name.endsWith(ending))
  return new Map(names.map((name) => [name, readFileSync(join(dist, name), 'utf8')]))
}
