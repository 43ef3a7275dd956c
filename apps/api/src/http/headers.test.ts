import { expect, it } from 'vitest'
import { acceptsJson, attachment, bearerOf, parseRange, parseWait } from './headers.ts'

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

it('reads the token of a bearer header, however the scheme is spelt [S-http-03]', () => {
  expect(bearerOf('Bearer abc')).toBe('abc')
  expect(bearerOf('bearer  abc ')).toBe('abc')
})

it('finds no token in anything else [S-auth-01]', () => {
  for (const header of [undefined, '', 'Bearer', 'Basic abc', 'abc', 'Bearer a b'])
    expect(bearerOf(header)).toBeUndefined()
})

it('reads the seconds of a wait preference, alone or among others', () => {
  expect(parseWait('wait=10')).toBe(10)
  expect(parseWait('respond-async, wait="5"')).toBe(5)
  expect(parseWait('Wait = 7; foo')).toBe(7)
})

it('waits at most 60 seconds [D-http-59]', () => {
  expect(parseWait('wait=61')).toBe(60)
  expect(parseWait('wait=999999999')).toBe(60)
})

it('ignores what it cannot read', () => {
  for (const header of [undefined, '', 'wait', 'wait=-1', 'wait=ten', 'waiting=3'])
    expect(parseWait(header)).toBeUndefined()
})

it('reads a range from both ends, from the start and from the end', () => {
  expect(parseRange('bytes=0-4', 10)).toEqual({ start: 0, end: 4 })
  expect(parseRange('bytes=5-', 10)).toEqual({ start: 5, end: 9 })
  expect(parseRange('bytes=-3', 10)).toEqual({ start: 7, end: 9 })
})

it('truncates a range at the end of the content', () => {
  expect(parseRange('bytes=8-100', 10)).toEqual({ start: 8, end: 9 })
  expect(parseRange('bytes=-100', 10)).toEqual({ start: 0, end: 9 })
})

it('reports an unsatisfiable range', () => {
  expect(parseRange('bytes=10-', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=0-0', 0)).toBe('unsatisfiable')
})

it('ignores what is not a single byte range', () => {
  for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=5-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b']) {
    expect(parseRange(header, 10)).toBeUndefined()
  }
})

it('sends an ASCII name in both parameters', () => {
  expect(attachment('photo.webp')).toBe(`attachment; filename="photo.webp"; filename*=UTF-8''photo.webp`)
})

it('sends another name in the extended parameter, with an ASCII fallback', () => {
  expect(attachment('été (1).png')).toBe(
    `attachment; filename="_t_ (1).png"; filename*=UTF-8''%C3%A9t%C3%A9%20%281%29.png`,
  )
})

it('escapes what could end the header or its quotes', () => {
  const header = attachment('a"; filename="evil\r\nX-Evil: 1\\.exe')
  expect(header).not.toMatch(/[\r\n\\]/)
  expect(header.match(/"/g)).toHaveLength(2)
})

it('accepts half of a surrogate pair', () => {
  expect(attachment('a\ud800.png')).toContain("filename*=UTF-8''a%EF%BF%BD.png")
})
