import { copyFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { takesTogether } from '@lathe/operations'
import { startRunner, type TestRunner } from '@lathe/testing'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { abilities } from '../pictures/abilities.ts'
import { planTask } from '../registry.ts'

// Outputs share a name, and the cache of libvips would return the pixels of an earlier one.
sharp.cache(false)

let runner: TestRunner
let folder: string
beforeAll(async () => {
  runner = await startRunner(join(import.meta.dirname, 'runner.mjs'))
})
afterAll(() => runner[Symbol.asyncDispose]())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-vips-'))
})
afterEach(() => rm(folder, { recursive: true }))

interface Work {
  readonly operation?: ProcessingOperation
  readonly to: string
  readonly options?: GivenOptions
}

/** Plans work on fixtures and runs each step, as the worker would. */
async function work(names: readonly FixtureName[], { operation = 'convert', to, options = {} }: Work) {
  const sources = await Promise.all(
    names.map(async (filename, n) => {
      const format = filename.slice(filename.lastIndexOf('.') + 1)
      const file = `in-${n}.${format}`
      await copyFile(fixturePath(filename), join(folder, file))
      return { file, format, size: 1, filename }
    }),
  )
  const plan = planTask({ operation, sources, to, options })
  if (plan.kind === 'failure') throw new Error(plan.text)
  const answers = []
  for (const step of plan.steps) {
    if (step.kind === 'call') answers.push(await runner.call(folder, step.request))
  }
  const bad = answers.find(({ ok }) => !ok)
  const warnings = answers.flatMap(({ result }) => result?.warnings ?? [])
  return { ...bad, ok: bad === undefined, warnings, answers, out: join(folder, plan.outputs[0]?.file ?? '') }
}

async function pagesOf(path: string) {
  return (await PDFDocument.load(await readFile(path))).getPages().map((page) => page.getSize())
}

const fixtureOf: Record<string, FixtureName> = {
  jpg: 'photo-40k.jpg',
  png: 'alpha.png',
  webp: 'photo.webp',
  avif: 'photo.avif',
  gif: 'animated.gif',
  tiff: 'photo.tiff',
  svg: 'text.svg',
}
const sizeOf: Record<string, readonly [number, number]> = {
  jpg: [640, 480],
  png: [200, 150],
  webp: [640, 480],
  avif: [320, 240],
  gif: [120, 90],
  tiff: [200, 150],
  svg: [240, 120],
}
const realFormat: Record<string, string> = { jpg: 'jpeg', avif: 'heif' }

describe('every advertised ability', () => {
  // A previous step draws the watermark, and a program of the engine root converts a drawing to PDF. Both have
  // their own tests.
  const alone = abilities.filter(({ operation, from, to }) => {
    return operation !== 'watermark' && !(from === 'svg' && to === 'pdf')
  })
  it.each(alone.map((ability) => [`${ability.operation} ${ability.from} to ${ability.to}`, ability] as const))(
    '%s gives a real file of that format [S-gen-05, S-proc-04, D-op-23]',
    async (_, { operation, from, to }) => {
      const name = fixtureOf[from] ?? 'photo-40k.jpg'
      const done = await work(takesTogether(operation) ? [name, name] : [name], { operation, to })
      expect(done).toMatchObject({ ok: true })
      if (to === 'pdf') {
        expect(await pagesOf(done.out)).toHaveLength(1)
        return
      }
      // If there are several files, the first.
      const meta = await sharp(done.out.replace('*', '1')).metadata()
      expect(meta.format).toBe(realFormat[to] ?? to)
      expect([meta.width, meta.height]).toEqual(sizeOf[from])
    },
  )
})

describe('a conversion', () => {
  it('applies the EXIF orientation', async () => {
    const { out } = await work(['rotated-exif.jpg'], { to: 'png' })
    const { data, info } = await sharp(out).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([200, 320])
    const topRight = (info.width - 5) * info.channels
    expect([data[topRight], data[topRight + 1]]).toEqual([expect.closeTo(254, -1), expect.closeTo(0, -1)])
  })

  it('drops EXIF by default and keeps it if asked to [D-op-23]', async () => {
    const stripped = await work(['photo-40k.jpg'], { to: 'webp' })
    expect((await sharp(stripped.out).metadata()).exif).toBeUndefined()
    const kept = await work(['photo-40k.jpg'], { to: 'webp', options: { strip: false } })
    expect((await sharp(kept.out).metadata()).exif?.toString('latin1')).toContain('Lathe fixtures')
  })

  it('does not rotate an image twice when it keeps metadata', async () => {
    const { out } = await work(['rotated-exif.jpg'], { to: 'jpg', options: { strip: false } })
    expect((await sharp(out).metadata()).autoOrient).toEqual({ width: 200, height: 320 })
  })

  it.each([
    [{ width: 320 }, [320, 240]],
    [{ height: 120 }, [160, 120]],
    [{ width: 100, height: 100 }, [100, 75]],
    [{ width: 100, height: 100, fit: 'outside' }, [133, 100]],
    [{ width: 100, height: 100, fit: 'cover' }, [100, 100]],
    [{ width: 100, height: 50, fit: 'fill' }, [100, 50]],
    [{ rotate: '90' }, [480, 640]],
    [{ rotate: 90, width: 240 }, [240, 320]],
  ])('with %j has the size asked for', async (options, size) => {
    const { out } = await work(['photo-40k.jpg'], { to: 'jpg', options })
    const { width, height } = await sharp(out).metadata()
    expect([width, height]).toEqual(size)
  })

  it('is smaller with a lower quality [S-proc-05]', async () => {
    const sizes = []
    for (const quality of [90, 50, 10]) {
      const { out } = await work(['photo-40k.jpg'], { to: 'webp', options: { quality } })
      sizes.push((await stat(out)).size)
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(sizes[0]).toBeGreaterThan((sizes[2] ?? 0) * 3)
  })

  it('without options writes the very bytes that bare sharp writes', async () => {
    const { out } = await work(['photo-40k.jpg'], { to: 'webp' })
    const bare = await sharp(fixturePath('photo-40k.jpg')).webp().toBuffer()
    expect((await readFile(out)).equals(bare)).toBe(true)
  })

  it.each([
    ['black', 0],
    ['white', 255],
  ] as const)('to jpg fills transparency with %s', async (background, level) => {
    const { out } = await work(['alpha.png'], { to: 'jpg', options: { background } })
    const pixels = await sharp(out).raw().toBuffer()
    expect(pixels[0]).toBeCloseTo(level, -1)
  })

  it('renders drawings at the density asked for', async () => {
    const { out } = await work(['text.svg'], { to: 'png', options: { density: 144 } })
    expect((await sharp(out).metadata()).width).toBe(480)
  })

  it('reduces to a palette if asked to', async () => {
    const { out } = await work(['alpha.png'], { to: 'png', options: { palette: true, colours: 16 } })
    expect((await sharp(out).metadata()).isPalette).toBe(true)
  })

  it('reports progress', async () => {
    const { answers } = await work(['photo-40k.jpg'], { to: 'png' })
    expect(answers[0]?.progress.length).toBeGreaterThan(0)
  })
})

describe('animations', () => {
  it.each([
    ['animated.gif', 'webp'],
    ['animated.webp', 'gif'],
    ['animated.gif', 'gif'],
    ['animated.webp', 'webp'],
  ] as const)('%s stay animated as %s', async (name, to) => {
    const { out, warnings } = await work([name], { to })
    expect(await sharp(out).metadata()).toMatchObject({ pages: 4, delay: [80, 80, 80, 80] })
    expect(warnings).toEqual([])
  })

  it('resize frame by frame', async () => {
    const { out } = await work(['animated.gif'], { to: 'webp', options: { width: 60 } })
    expect(await sharp(out).metadata()).toMatchObject({ pages: 4, width: 60, height: 45 })
  })

  it('become their first frame in a still format, with a warning', async () => {
    const { out, warnings } = await work(['animated.gif'], { to: 'png' })
    expect(await sharp(out).metadata()).toMatchObject({ width: 120, height: 90 })
    expect(warnings).toEqual(['Only the first of the 4 frames or pages was kept.'])
  })

  it('are cropped in every frame', async () => {
    const options = { x: 10, y: 20, width: 30, height: 40 }
    const { out } = await work(['animated.gif'], { operation: 'crop', to: 'gif', options })
    expect(await sharp(out).metadata()).toMatchObject({ pages: 4, width: 30, height: 40 })
  })

  it('are not rotated by a quarter turn, with a warning', async () => {
    const refused = await work(['animated.gif'], { to: 'webp', options: { rotate: '90' } })
    expect(refused).toMatchObject({ ok: false, code: 'unsupported' })
  })

  it('keep all pages of a TIFF', async () => {
    const { out } = await work(['pages.tiff'], { to: 'tiff' })
    expect(await sharp(out).metadata()).toMatchObject({ pages: 4, width: 120, height: 90 })
  })
})

describe('compressing', () => {
  it('makes a photograph smaller in its own format [S-proc-06, D-op-24]', async () => {
    const { out, warnings } = await work(['photo-100k.jpg'], {
      operation: 'compress',
      to: 'jpg',
      options: { quality: 40 },
    })
    expect((await stat(out)).size).toBeLessThan((await stat(fixturePath('photo-100k.jpg'))).size)
    expect((await sharp(out).metadata()).format).toBe('jpeg')
    expect(warnings).toEqual([])
  })

  it('returns the original where the result is not smaller [D-op-25]', async () => {
    const { out, warnings } = await work(['photo-40k.jpg'], {
      operation: 'compress',
      to: 'jpg',
      options: { quality: 100 },
    })
    expect(warnings).toEqual(['The result was not smaller, so the original is returned.'])
    expect((await readFile(out)).equals(await readFile(fixturePath('photo-40k.jpg')))).toBe(true)
  })

  it('keeps every pixel of a PNG when lossless', async () => {
    const { out } = await work(['alpha.png'], { operation: 'compress', to: 'png', options: { lossless: true } })
    const [before, after] = await Promise.all(
      [fixturePath('alpha.png'), out].map((path) => sharp(path).raw().toBuffer()),
    )
    expect(before?.equals(after ?? Buffer.alloc(0))).toBe(true)
  })
})

describe('cropping', () => {
  it('keeps the area asked for, as the image is shown [D-op-29]', async () => {
    const options = { x: 150, y: 0, width: 50, height: 50 }
    const { out } = await work(['rotated-exif.jpg'], { operation: 'crop', to: 'jpg', options })
    const { data, info } = await sharp(out).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([50, 50])
    expect(data[(info.width - 5) * 3]).toBeGreaterThan(240)
  })

  it('cuts an area that reaches beyond the image and says so', async () => {
    const options = { x: 600, y: 400, width: 500, height: 500 }
    const { out, warnings } = await work(['photo-40k.jpg'], { operation: 'crop', to: 'jpg', options })
    expect(await sharp(out).metadata()).toMatchObject({ width: 40, height: 80 })
    expect(warnings).toHaveLength(1)
  })

  it('refuses an area outside the image', async () => {
    const refused = await work(['photo-40k.jpg'], { operation: 'crop', to: 'jpg', options: { x: 640 } })
    expect(refused).toMatchObject({ ok: false, code: 'unsupported' })
    expect(refused.text).toContain('640 x 480')
  })
})

describe('merging to gif', () => {
  it('gives a frame each, with the delay and loop asked for [S-proc-10]', async () => {
    const names = ['photo-40k.jpg', 'alpha.png', 'text.svg'] as const
    const { out } = await work(names, { operation: 'merge', to: 'gif', options: { delay: 250, loop: 3 } })
    const meta = await sharp(out).metadata()
    expect(meta).toMatchObject({ pages: 3, width: 640, height: 480, delay: [250, 250, 250], loop: 3 })
  })

  it('keeps equal frames and leaves nothing but the output behind', async () => {
    const names = ['photo.tiff', 'photo.tiff', 'photo.tiff'] as const
    const options = { width: 50, height: 50, background: 'transparent' }
    const { out } = await work(names, { operation: 'merge', to: 'gif', options })
    expect(await sharp(out).metadata()).toMatchObject({ pages: 3, width: 50, height: 50 })
    expect((await readdir(folder)).filter((name) => !name.startsWith('in-'))).toEqual(['out-0.gif'])
  })
})
