import type { ProcessStep } from '@lathe/engines'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { decoders } from '../../../../packages/engines/src/pictures/decoders.ts'
import { pillowStep } from '../../../../packages/engines/src/pictures/pillow-step.ts'
import { probeStep } from '../../../../packages/engines/src/pictures/probe.ts'
import { runStep } from '../support/run-step.ts'
import { isWithin, steps } from './steps.ts'

const bench = usePlanBench()

async function endOf(format: string, content: string | Uint8Array, to: string): Promise<string> {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to })
  return end.kind === 'done' ? 'done' : end.code
}

const end = (step: number) => (isWithin(step) ? 'done' : 'limit_exceeded')

describe('pixels a side that ImageMagick reads, 1,000,000', () => {
  it.each(steps)('%s [L-image-side]', async (_, step) => {
    const width = 1_000_000 + step
    const head = `P7\nWIDTH ${width}\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n`
    expect(await endOf('pam', Buffer.concat([Buffer.from(head), Buffer.alloc(width, 100)]), 'png')).toBe(end(step))
  })
})

/** Whether ImageMagick, the first decoder of a format, takes a file; whatever it does not, Pillow reads. */
async function endOfMagick(format: 'ico' | 'fits', content: Buffer): Promise<string> {
  const probe = await runStep(bench, probeStep(decoders[format][0], `in-0.${format}`), { [`in-0.${format}`]: content })
  expect(await endOf(format, content, 'png')).toBe('done')
  return probe.end
}

describe('pixels a side of an icon, 8,192', () => {
  it.each(steps)('%s [L-icon-side]', async (_, step) => {
    expect(await endOfMagick('ico', iconOf(8192 + step))).toBe(end(step))
  })
})

/** An icon with one bitmap of two colours, one pixel high. */
function iconOf(width: number): Buffer {
  const row = Math.ceil(width / 32) * 4
  const bitmap = Buffer.alloc(40 + 8 + 2 * row)
  bitmap.writeUInt32LE(40, 0)
  bitmap.writeInt32LE(width, 4)
  // The height counts twice: there is a mask below the pixels.
  bitmap.writeInt32LE(2, 8)
  bitmap.writeUInt16LE(1, 12)
  bitmap.writeUInt16LE(1, 14)
  bitmap.writeUInt32LE(0xffffff, 44)
  const entry = Buffer.from([0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 22, 0, 0, 0])
  entry.writeUInt32LE(bitmap.length, 8)
  return Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), entry, bitmap])
}

describe('pixels a side of a FITS image, 16,384', () => {
  it.each(steps)('%s [L-fits-side]', async (_, step) => {
    expect(await endOfMagick('fits', fitsOf(16_384 + step))).toBe(end(step))
  })
})

/** An image of two rows, its header and its data in blocks of 2,880 bytes. */
function fitsOf(width: number): Buffer {
  const fields = { SIMPLE: 'T', BITPIX: '8', NAXIS: '2', NAXIS1: String(width), NAXIS2: '2' }
  const cards = Object.entries(fields).map(([name, value]) => `${name.padEnd(8)}= ${value.padStart(20)}`.padEnd(80))
  const head = `${cards.join('')}END`.padEnd(2880)
  return Buffer.concat([Buffer.from(head), Buffer.alloc(Math.ceil((2 * width) / 2880) * 2880, 7)])
}

describe('time for Pillow, 45 s [L-pillow-time]', () => {
  const step = pillowStep({ file: 'in-0.pgm', out: 'out-0.tiff', plugins: ['PPM'], isStrict: true })
  const image = { 'in-0.pgm': Buffer.from('P5 1 1 255\n\0', 'latin1') }

  /** The same script with a shorter time, and reading that takes so long. */
  function taking(seconds: number, limit: number): ProcessStep {
    const slow = `\n    import time\n    time.sleep(${seconds})\n    try:\n        read()`
    const modules = Object.entries(step.modules ?? {}).map(([name, text]) => [
      name,
      text.replace('signal.alarm(45)', `signal.alarm(${limit})`).replace('\n    try:\n        read()', slow),
    ])
    return { ...step, modules: Object.fromEntries(modules) }
  }

  it('is what its script is given', () => {
    expect(Object.values(step.modules ?? {}).join()).toContain('signal.alarm(45)')
  })

  it('is enough for an image that is read sooner', async () => {
    expect((await runStep(bench, taking(0.1, 5), image)).end).toBe('done')
  })

  it('ends an image that takes longer', async () => {
    const started = performance.now()
    expect((await runStep(bench, taking(30, 1), image)).end).toBe('input_damaged')
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})

describe('pixels a side of a WebP result, 16,383', () => {
  it.each(steps)('%s [L-format-side]', async (_, step) => {
    const strip = { width: 16_383 + step, height: 1, channels: 3 as const, background: 'red' }
    const content = await sharp({ create: strip }).png().toBuffer()
    expect(await endOf('png', content, 'webp')).toBe(end(step))
  })
})

describe('pixels a side of a drawing, 32,767', () => {
  it.each(steps)('%s [L-svg-side]', async (_, step) => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${32_767 + step}" height="1"></svg>`
    expect(await endOf('svg', drawing, 'png')).toBe(end(step))
  })
})

describe('bytes of images for one PDF, 256 MiB', () => {
  it.each(steps)('%s [L-image-pdf]', { timeout: 120_000 }, async (_, step) => {
    const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    // What follows the end of a PNG belongs to nothing, and is not taken along.
    const long = Buffer.concat([image, Buffer.alloc(256 * 1024 ** 2 + step - image.length)])
    expect(await endOf('png', long, 'pdf')).toBe(end(step))
  })
})
