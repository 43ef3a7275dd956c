import { expect, it } from 'vitest'
import { readAddress } from './read-name.ts'

it.each([
  ['https://example.ai/', ''],
  ['https://example.zip', ''],
  ['https://example.com/photo.jpg?size=2', 'jpg'],
  ['https://example.com/download?file=photo.jpg', ''],
  ['https://example.com/news/index.html', 'url'],
])('%s is read as %o', (address, source) => {
  expect(readAddress(address).source).toBe(source)
})
