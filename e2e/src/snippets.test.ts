import { expect, it } from 'vitest'
import { findSnippets } from './snippets.ts'

const page = ['# A', '```sh', 'ls', '```', '', '<!-- not run: installs -->', '```json Error', '{}', '```'].join('\n')

it('finds every block with its language, its note and the reason it is not run', () => {
  expect(findSnippets('a.md', page)).toEqual([
    { where: 'a.md:2', language: 'sh', note: '', code: 'ls', notRun: undefined },
    { where: 'a.md:7', language: 'json', note: 'Error', code: '{}', notRun: 'installs' },
  ])
})

it('finds the file that a block is, and code that readers do not see', () => {
  const mdx = ['{/* not run: later */}', '```ts title="a.ts"', '1', '```', '{/* test ts', '2', '*/}'].join('\n')
  expect(findSnippets('b.mdx', mdx)).toEqual([
    { where: 'b.mdx:2', language: 'ts', note: 'title="a.ts"', code: '1', notRun: 'later', file: 'a.ts' },
    { where: 'b.mdx:5', language: 'ts', note: '', code: '2', notRun: undefined },
  ])
})

it('refuses a block without an end', () => {
  expect(() => findSnippets('a.md', '```sh\nls')).toThrow('a.md:1')
})
