import { expect, it } from 'vitest'
import { rewriteLinks } from './rewrite-links.ts'

const slugs = new Map([
  ['docs/events.md', 'events'],
  ['docs/api/operations.md', 'reference/operations'],
])
const rewrite = (text: string) => rewriteLinks(text, 'docs/api/README.md', slugs)

it('makes links between files into links between pages', () => {
  expect(rewrite('[a](../events.md#types), [`b` c](operations.md) and [d](openapi.json)')).toBe(
    '[a](/guide/events/#types), [`b` c](/guide/reference/operations/) and [d](/openapi.json)',
  )
})

it('keeps the text of a link to a file that is no page', () => {
  expect(rewrite('see [`values.yaml`](../../deploy/values.yaml).')).toBe('see `values.yaml`.')
})

it('leaves headings, other sites and code alone', () => {
  const text = '[a](#b) [c](https://example.com) `[d](operations.md)`\n\n```\n[e](operations.md)\n```'
  expect(rewrite(text)).toBe(text)
})
