import { expect, it } from 'vitest'
import { findSnippets } from './snippets.ts'

const page = ['# A', '```sh', 'ls', '```', '', '<!-- not run: installs -->', '```json Error', '{}', '```'].join('\n')

it('finds every block with its language, its note and the reason it is not run', () => {
  expect(findSnippets('a.md', page)).toEqual([
    { where: 'a.md:2', language: 'sh', note: '', code: 'ls', notRun: undefined },
    { where: 'a.md:7', language: 'json', note: 'Error', code: '{}', notRun: 'installs' },
  ])
})

it('refuses a block without an end', () => {
  expect(() => findSnippets('a.md', '```sh\nls')).toThrow('a.md:1')
})
