import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engines } from '@lathe/engines'
import { parseSync } from '@swc/core'

/** A regular expression in our code and its location. */
export interface FoundPattern {
  readonly source: string
  readonly flags: string
  readonly where: string
}

interface Node {
  readonly type?: string
  readonly [key: string]: unknown
}

const root = join(import.meta.dirname, '../../../..')

// The guide is built on the developer's machine, only from our own pages.
const notRun = /\.test\.ts$|\/testing\/|^packages\/testing\/|^apps\/guide\//

/** Every regular expression in production code: literals, `pattern` fields of schemas, and patterns of options. */
export function findPatterns(): readonly FoundPattern[] {
  const files = globSync('{packages,apps}/*/src/**/*.{ts,mjs}', { cwd: root }).filter((file) => !notRun.test(file))
  const written = files.flatMap((file) => patternsIn(file, readFileSync(join(root, file), 'utf8')))
  const all = [...written, ...patternsOfOptions()]
  return [...new Map(all.map((pattern) => [`${pattern.flags} ${pattern.source}`, pattern])).values()]
}

function patternsIn(where: string, source: string): readonly FoundPattern[] {
  const program = parseSync(source, {
    ...(where.endsWith('.ts') ? { syntax: 'typescript' } : { syntax: 'ecmascript', explicitResourceManagement: true }),
    target: 'es2022',
  })
  return [...walk(program as unknown as Node)].flatMap((node) => toPattern(node, where))
}

function* walk(node: unknown): Generator<Node> {
  if (Array.isArray(node)) for (const child of node) yield* walk(child)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  yield node as Node
  for (const child of Object.values(node)) yield* walk(child)
}

function toPattern(node: Node, where: string): readonly FoundPattern[] {
  if (node.type === 'RegExpLiteral') return [{ source: String(node.pattern), flags: String(node.flags), where }]
  const { key, value } = node as { key?: Node; value?: Node }
  const isPattern = node.type === 'KeyValueProperty' && key?.value === 'pattern' && value?.type === 'StringLiteral'
  return isPattern ? [{ source: textOf(String(value.raw)), flags: 'u', where }] : []
}

// The parser's value of a string changes escapes that begin with \\u.
function textOf(raw: string): string {
  return JSON.parse(`"${raw.slice(1, -1).replaceAll('"', '\\"')}"`)
}

function patternsOfOptions(): readonly FoundPattern[] {
  return engines.flatMap(({ id, abilities }) =>
    abilities.flatMap(({ options }) =>
      options.flatMap(({ name, properties }) =>
        properties?.pattern === undefined
          ? []
          : [{ source: properties.pattern, flags: 'u', where: `the option ${name} of ${id}` }],
      ),
    ),
  )
}
