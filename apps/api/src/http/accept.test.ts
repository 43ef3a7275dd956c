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
])('treats %j as accepting JSON [D-http-28]', (header) => expect(acceptsJson(header)).toBe(true))

it.each(['text/html', 'application/xml', 'application/json;q=0', 'application/json;q=0, */*', 'image/*'])(
  'treats %j as not accepting JSON [S-http-01, D-http-29]',
  (header) => expect(acceptsJson(header)).toBe(false),
)
