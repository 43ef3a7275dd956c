import { parseSync } from '@swc/core'
import { ruleId } from './read-rules.ts'

/** A test as written in its file. */
export interface FoundTest {
  /** Titles of the blocks around it and its own, joined by ` > ` as Vitest prints them. */
  readonly title: string
  /** The rules it tests: those in brackets in its title or in that of a block around it. */
  readonly ids: readonly string[]
  /** Whether it runs once for each case of a table. */
  readonly isTable: boolean
}

interface Node {
  readonly type?: string
  readonly [key: string]: unknown
}

/** Attacks that are cases of a table, by the id of each. */
export function findAttacks(source: string): readonly FoundTest[] {
  return [...source.matchAll(/\bid: '([A-D]\d\d)[^']*',\s+title: '([^']+)'/g)].map(([, id = '', title = '']) => ({
    title,
    ids: [id],
    isTable: false,
  }))
}

/** Every test that runs. Leaves out skipped tests and `todo` entries. */
export function findTests(source: string): readonly FoundTest[] {
  // Parsing takes longer than all the rest, and most files test no rule.
  if (!inBrackets.test(source)) return []
  const program = parseSync(source, { syntax: 'typescript', target: 'es2022' })
  return testsIn(program as unknown as Node, [])
}

const inBrackets = new RegExp(`\\[(${ruleId.source}(?:, ${ruleId.source})*)\\]`)

function testsIn(node: unknown, blocks: readonly string[]): readonly FoundTest[] {
  if (Array.isArray(node)) return node.flatMap((child) => testsIn(child, blocks))
  if (typeof node !== 'object' || node === null) return []
  const call = readCall(node as Node)
  if (!call) return Object.values(node).flatMap((child) => testsIn(child, blocks))
  if (call.isSkipped) return []
  const path = [...blocks, call.title]
  return call.isBlock ? testsIn(call.rest, path) : [toTest(path, call.isTable)]
}

function toTest(path: readonly string[], isTable: boolean): FoundTest {
  const ids = path.flatMap((title) => inBrackets.exec(title)?.[1]?.split(', ') ?? [])
  return { title: path.join(' > '), ids, isTable }
}

interface TestCall {
  readonly title: string
  readonly isBlock: boolean
  readonly isSkipped: boolean
  readonly isTable: boolean
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
  return {
    title,
    isBlock: first === 'describe',
    isSkipped: more.some((word) => word === 'skip' || word === 'todo'),
    isTable: more.includes('each'),
    rest: rest.map(({ expression }) => expression),
  }
}

/** Splits `it.each(cases)` into it, each. */
function calleeWords(callee: Node): readonly string[] {
  if (callee.type === 'Identifier') return [String(callee.value)]
  if (callee.type === 'CallExpression') return calleeWords(callee.callee as Node)
  if (callee.type !== 'MemberExpression') return []
  return [...calleeWords(callee.object as Node), String((callee.property as Node).value)]
}

/** A title; what a template fills in is known only at run time. */
function readText(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value)
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as readonly { readonly cooked: string }[]).map(({ cooked }) => cooked).join('…')
}
