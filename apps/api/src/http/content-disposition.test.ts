import { expect, it } from 'vitest'
import { attachment } from './content-disposition.ts'

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
