import { expect, it } from 'vitest'
import { acceptsJson } from './accept.ts'

it.each([
  undefined,
  '',
  '*/*',
  'application/*',
  'application/json',
  'text/html, application/json;q=0.1',
  'APPLICATION/JSON; charset=utf-8',
  'text/html,*/*;q=0.8',
])('takes %j as room for JSON', (header) => expect(acceptsJson(header)).toBe(true))

it.each(['text/html', 'application/xml', 'application/json;q=0', 'application/json;q=0, */*', 'image/*'])(
  'takes %j as excluding JSON',
  (header) => expect(acceptsJson(header)).toBe(false),
)
