import { expect, it } from 'vitest'
import { toOwnPath } from './own-path.ts'

const publicUrl = 'https://lathe.test'

it.each(['/', '/keys', '/jobs?status=failed&page=2', '/join#abc', '/a%2f%2fb'])(
  '%s is a path of this service',
  (path) => {
    expect(toOwnPath(publicUrl, path)).toBe(path)
  },
)

it.each([
  ...['https://evil.example/', '//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example', ''],
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    'keys',
    '///evil.example',
    'https:evil.example',
    '/x/..//evil.example',
  ],
])('%j redirects to the front page', (path) => {
  expect(toOwnPath(publicUrl, path)).toBe('/')
})
