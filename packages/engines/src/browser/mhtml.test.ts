import { describe, expect, it } from 'vitest'

const script = new URL('./mhtml.mjs', import.meta.url).href
const { parseMhtml, textOf } = (await import(script)) as {
  parseMhtml(file: Buffer): { readonly bytes: Buffer }[]
  textOf(part: { readonly bytes: Buffer }): string
}

const pageOf = (body: string) =>
  Buffer.from(
    [
      'Content-Type: multipart/related; boundary="b"',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Location: http://page/',
      '',
      body,
      '--b--',
    ].join('\r\n'),
  )

function read(body: string): string | undefined {
  const [page] = parseMhtml(pageOf(body))
  return page && textOf(page).trim()
}

describe('quoted-printable', () => {
  it('joins lines and keeps the space before the break', () => {
    expect(read('one =\r\ntwo=\r\n three= \t\r\n!')).toBe('one two three!')
  })

  it('reads bytes', () => {
    expect(read('=C3=A4=3D')).toBe('ä=')
  })
})

describe('parts of a stored page, 10,000', () => {
  it.each([
    ['one below', -1],
    ['the limit', 0],
    ['one above', 1],
  ])('%s [L-page-parts]', (_, step) => {
    const more = '\r\n--b\r\nContent-Type: image/png\r\n\r\nx'.repeat(9999 + step)
    const page = pageOf(`words${more}`)
    if (step <= 0) expect(parseMhtml(page)).toHaveLength(10_000 + step)
    else expect(() => parseMhtml(page)).toThrow(expect.objectContaining({ code: 'limit_exceeded' }))
  })
})
