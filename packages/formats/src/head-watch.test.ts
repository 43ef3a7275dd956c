import { describe, expect, it } from 'vitest'
import { detectionBytes } from './detect.ts'
import { createHeadWatch } from './head-watch.ts'

async function pass(chunks: readonly Uint8Array[]) {
  const head = createHeadWatch()
  const seen: Uint8Array[] = []
  async function* source() {
    yield* chunks
  }
  for await (const chunk of head.watch(source())) seen.push(chunk)
  return { head, seen }
}

describe('a head watch', () => {
  it('detects the format from bytes that arrive one at a time, and passes all of them on', async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52)
    const { head, seen } = await pass(Array.from(png, (byte) => Uint8Array.of(byte)))
    expect(head.formatOf('photo.jpg')).toBe('png')
    expect(seen).toHaveLength(png.length)
  })

  it('detects a format that nothing can convert', async () => {
    const { head } = await pass([new TextEncoder().encode('AC1021\0\0\0\0')])
    expect(head.formatOf('plan.doc')).toBe('dwg')
  })

  it('falls back to the name, and to bin', async () => {
    const { head } = await pass([new Uint8Array(detectionBytes * 2).fill(1)])
    expect(head.formatOf('data.CSV')).toBe('csv')
    expect(head.formatOf('nothing')).toBe('bin')
  })
})
