import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'

export interface Traced {
  /** Reached files of the checkout, as relative paths. */
  readonly files: readonly string[]
  /**
   * Imported npm packages, each with its importer: `packages/runtime:pino`. Two of our packages may use two versions.
   */
  readonly packages: readonly string[]
}

/** Follows every import from the entries through our own packages, which are TypeScript with one entry point each. */
export function traceImports(checkout: string, entries: readonly string[]): Traced {
  const files = new Set<string>()
  const packages = new Set<string>()
  const open = entries.map((entry) => normalize(entry))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue
    files.add(file)
    for (const name of importsOf(readFileSync(join(checkout, file), 'utf8'))) {
      if (name.startsWith('.')) open.push(join(dirname(file), name))
      else if (name.startsWith('@lathe/')) open.push(...doorOf(checkout, name))
      else if (!isBuiltin(name)) packages.add(`${folderOf(file)}:${packageOf(name)}`)
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() }
}

const statement =
  /^(?:import|export)\s+(?!type\s)(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)|\bresolve\('([^']+)'\)/gm

/** The modules that a source imports at run time, without type imports. */
export function importsOf(source: string): readonly string[] {
  return [...source.matchAll(statement)].map(([, plain, dynamic, resolved]) => plain ?? dynamic ?? resolved ?? '')
}

// Entry points other than the main one are runners, which are part of the package and run in the sandbox.
function doorOf(checkout: string, name: string): readonly string[] {
  const [, short = '', door] = name.split('/')
  const main = join('packages', short, 'src/index.ts')
  if (!existsSync(join(checkout, main))) throw new Error(`${name} is no package of this checkout`)
  return door === 'testing' ? [] : [main]
}

/** The package or app folder that is copied with a file; a file outside both is copied alone. */
export function folderOf(file: string): string {
  const [kind = '', name = ''] = file.split('/')
  return ['packages', 'apps'].includes(kind) ? join(kind, name) : file
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

function isBuiltin(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name)
}
