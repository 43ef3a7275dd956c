import { readFileSync } from 'node:fs'
import { isOperation, operations } from '@lathe/operations'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const guide = 'apps/guide/src/content/docs'
const namesIn = (cell: string) => [...cell.matchAll(/`([a-z][a-z0-9_/-]{0,40})`/g)].flatMap(([, name]) => name ?? [])

/** The rows of the first table below a heading. */
function tableBelow(text: string, heading: string): readonly (readonly [string, string])[] {
  const [section = ''] = text.slice(text.indexOf(`## ${heading}\n`) + 3).split('\n## ')
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
  return rows.slice(1).map((line) => {
    const [, theirs = '', ours = ''] = line.split('|')
    return [theirs.trim(), ours.trim()]
  })
}

/** Names of operations, with fields in a sentence such as "`trim` with `pages`" left out. */
const operationsIn = (cell: string) => namesIn(cell.replaceAll(/(?: with| in) .*/g, ''))

describe('the table of operations for those who come from CloudConvert', () => {
  const rows = tableBelow(read(`${guide}/migrate/cloudconvert.mdx`), 'Operations')

  it('names operations that exist', () => {
    expect(rows.length).toBeGreaterThan(15)
    const named = rows.flatMap(([theirs, ours]) => (ours.startsWith('the same') ? namesIn(theirs) : operationsIn(ours)))
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => !isOperation(name))).toEqual([])
  })

  it('says of no operation that exists that there is none', () => {
    const missing = rows.flatMap(([theirs, ours]) => (ours === 'none' ? namesIn(theirs) : []))
    expect(missing.length).toBeGreaterThan(0)
    expect(missing.filter(isOperation)).toEqual([])
  })
})

it('names operations that exist to those who come from FreeConvert', () => {
  const rows = tableBelow(read(`${guide}/migrate/freeconvert.mdx`), 'What has another name')
  const named = rows.flatMap(([, ours]) => namesIn(ours)).filter((name) => /^(?:import|export)\//.test(name))
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !isOperation(name))).toEqual([])
})

// An operation that a page leaves out is one that its readers do not find.
it.each([`${guide}/migrate/cloudconvert.mdx`, `${guide}/migrate/freeconvert.mdx`, 'README.md'])(
  'names every operation on files in %s',
  (page) => {
    const text = read(page).toLowerCase()
    const onFiles = operations.filter((name) => !name.includes('/'))
    expect(onFiles.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  },
)

it('names in the page of the n8n node every operation that the node offers', () => {
  const text = read('packages/n8n-nodes-lathe/README.md').toLowerCase()
  const generated = read('packages/n8n-nodes-lathe/src/nodes/generated/operations.ts')
  const offered = [...generated.matchAll(/"value":"([a-z]{1,30})"/g)].map(([, name]) => name ?? '')
  expect(offered.length).toBeGreaterThan(10)
  expect(offered.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})
