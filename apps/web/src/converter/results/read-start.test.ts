import { expect, it } from 'vitest'
import { readStart, textBytes } from './read-start.ts'

it('the start of a text ends at a whole character', async () => {
  const text = await readStart(new Blob(['x', 'ä'.repeat(textBytes)]))
  expect(text?.length).toBe(textBytes / 2)
  expect(text?.replaceAll('ä', '')).toBe('x')
})

it('a text may be UTF-16, which its first bytes say', async () => {
  expect(await readStart(new Blob([Uint8Array.of(0xff, 0xfe, 0x61, 0, 0xe4, 0)]))).toBe('aä')
  expect(await readStart(new Blob([Uint8Array.of(0xfe, 0xff, 0, 0x61)]))).toBe('a')
})

it('bytes that are no text are not shown', async () => {
  expect(await readStart(new Blob([Uint8Array.of(0x61, 0, 0x62)]))).toBeUndefined()
  expect(await readStart(new Blob([]))).toBe('')
})
