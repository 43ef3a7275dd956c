import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'

/** Where the chart is. */
export const chartDir = new URL('../../deploy/helm/lathe', import.meta.url).pathname

export type Settings = Readonly<Record<string, string>>

export interface WorkerValues {
  readonly enabled: boolean
  readonly image: string
  readonly pools: string
  readonly families: string
  readonly settings: Settings
}

/** The values that are checked in addition to the schema. */
export interface Values {
  readonly settings: Settings
  readonly secrets: Readonly<Record<string, { readonly name: string; readonly keys: readonly string[] }>>
  readonly api: { readonly settings: Settings; readonly terminationGracePeriodSeconds: number }
  readonly scheduler: { readonly settings: Settings }
  readonly worker: { readonly settings: Settings; readonly terminationGracePeriodSeconds: number }
  readonly workers: Readonly<Record<string, WorkerValues>>
}

type Tree = { readonly [name: string]: unknown }

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const readYaml = (path: string) => parse(readFileSync(join(chartDir, path), 'utf8')) as Tree

/** Like Helm: merges maps and replaces everything else. */
export function override(base: Tree, by: Tree): Tree {
  const merged = Object.entries(by).map(([name, value]) => {
    const old = base[name]
    return [name, isTree(old) && isTree(value) ? override(old, value) : value]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

/** The value sets in `ci/`, each merged into the defaults. */
export function readValueSets(): readonly { readonly name: string; readonly file: string; readonly values: Values }[] {
  const defaults = readYaml('values.yaml')
  return readdirSync(join(chartDir, 'ci')).map((entry) => ({
    name: basename(entry, '.yaml'),
    file: join(chartDir, 'ci', entry),
    values: override(defaults, readYaml(`ci/${entry}`)) as unknown as Values,
  }))
}

/** The chart's schema for values. */
export const readSchema = () => JSON.parse(readFileSync(join(chartDir, 'values.schema.json'), 'utf8')) as Tree

/** The text of all templates. */
export const readTemplates = () =>
  readdirSync(join(chartDir, 'templates'))
    .map((entry) => readFileSync(join(chartDir, 'templates', entry), 'utf8'))
    .join('\n')

/** Names of the settings that docs/configuration.md lists, and of those that can be read from a file. */
export function readSettingNames(): { readonly known: ReadonlySet<string>; readonly inFiles: ReadonlySet<string> } {
  const text = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  const names = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name = '']) => name))
  return { known: names(/^\| `([A-Z0-9_]+)` \|/gm), inFiles: names(/`([A-Z0-9_]+)_FILE`/g) }
}
