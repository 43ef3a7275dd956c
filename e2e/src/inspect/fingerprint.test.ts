import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { photo } from '../../../fixtures/photo.ts'
import { distance, fingerprintOf } from './fingerprint.ts'

const page = (words: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="400"><rect width="300" height="400" fill="white"/><text x="20" y="40" font-size="14">${words}</text></svg>`,
  )

describe('a fingerprint', () => {
  it('stays the same when an image is scaled down or compressed', async () => {
    const original = await fingerprintOf(await photo(320, 240).png().toBuffer())
    const smaller = await fingerprintOf(await photo(320, 240).resize(80).jpeg({ quality: 50 }).toBuffer())
    expect(distance(original, smaller)).toBeLessThanOrEqual(8)
  })

  it('changes when an image is rotated', async () => {
    const upright = await photo(320, 240).png().toBuffer()
    const turned = await sharp(upright).rotate(90).png().toBuffer()
    expect(distance(await fingerprintOf(upright), await fingerprintOf(turned))).toBeGreaterThan(30)
  })

  it('distinguishes pages that are white except for a line', async () => {
    const [one, other] = [page('Alpha beta gamma delta epsilon'), page('I')]
    expect(distance(await fingerprintOf(one), await fingerprintOf(other))).toBeGreaterThan(10)
  })

  it('exists for a blank page and a single pixel', async () => {
    const blank = (side: number) =>
      sharp({ create: { width: side, height: side, channels: 3, background: 'white' } })
        .png()
        .toBuffer()
    expect(await fingerprintOf(await blank(100))).toBe('0'.repeat(32))
    expect(await fingerprintOf(await blank(1))).toBe('0'.repeat(32))
  })
})
