import { parseSync } from '@swc/core'

/** Placeholders that are filled in at run time: `%s` and `$name` of `it.each`, `${...}` of a template. */
const filledIn = /%[sdifjoO#%]|\$[A-Za-z_][\w.]*|\uE000/g

// Replaces the values of a template, which are known only at run time; no title contains it.
const blank = '\uE000'

/** A test as written in its file. */
export interface FoundTest {
  /** Titles of the blocks around it and its own, joined by ` > ` as Vitest prints them. */
  readonly title: string
  matches(name: string): boolean
}

interface Node {
  readonly type?: string
  readonly [key: string]: unknown
}

/** Every test that runs, by the full title in its source. Leaves out skipped tests and `todo` entries. */
export function findTests(source: string): readonly FoundTest[] {
  const program = parseSync(source, { syntax: 'typescript', target: 'es2022' })
  return titlesIn(program as unknown as Node, []).map(toTest)
}

function titlesIn(node: unknown, blocks: readonly string[]): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((child) => titlesIn(child, blocks))
  if (typeof node !== 'object' || node === null) return []
  const call = readCall(node as Node)
  if (!call) return Object.values(node).flatMap((child) => titlesIn(child, blocks))
  if (call.isSkipped) return []
  const path = [...blocks, call.title]
  return call.isBlock ? titlesIn(call.rest, path) : [path.join(' > ')]
}

interface TestCall {
  readonly title: string
  readonly isBlock: boolean
  readonly isSkipped: boolean
  readonly rest: readonly unknown[]
}

/** `it('title', ...)`, `it.each(cases)('title', ...)`, `describe('title', ...)` and similar calls. */
function readCall(node: Node): TestCall | undefined {
  if (node.type !== 'CallExpression') return undefined
  const words = calleeWords(node.callee as Node)
  const [first = '', ...more] = words
  if (!['it', 'test', 'describe'].includes(first)) return undefined
  const [head, ...rest] = node.arguments as readonly { readonly expression: Node }[]
  const title = head && readText(head.expression)
  if (title === undefined) return undefined
  const isSkipped = more.some((word) => word === 'skip' || word === 'todo')
  return { title, isBlock: first === 'describe', isSkipped, rest: rest.map(({ expression }) => expression) }
}

/** Splits `it.each(cases)` into it, each. */
function calleeWords(callee: Node): readonly string[] {
  if (callee.type === 'Identifier') return [String(callee.value)]
  if (callee.type === 'CallExpression') return calleeWords(callee.callee as Node)
  if (callee.type !== 'MemberExpression') return []
  return [...calleeWords(callee.object as Node), String((callee.property as Node).value)]
}

function readText(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value)
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as readonly { readonly cooked: string }[]).map(({ cooked }) => cooked).join(blank)
}

function toTest(title: string): FoundTest {
  const parts = title.split(filledIn)
  const pattern = new RegExp(`^${parts.map((part) => quote(part)).join('.+')}$`, 's')
  return { title: title.replaceAll(blank, '*'), matches: (name) => pattern.test(name) }
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
