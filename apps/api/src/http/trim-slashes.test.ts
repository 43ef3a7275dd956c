import { expect, it } from 'vitest'
import { trimSlashes } from './trim-slashes.ts'

it.each([
  ['/v1/jobs', '/v1/jobs'],
  ['/v1/jobs/', '/v1/jobs'],
  ['https://a.example///', 'https://a.example'],
  ['///', ''],
  ['', ''],
])('%j becomes %j', (path, trimmed) => {
  expect(trimSlashes(path)).toBe(trimmed)
})
