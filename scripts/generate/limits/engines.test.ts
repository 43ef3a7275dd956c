import { advertised, type Step } from '@lathe/engines'
import { describe, expect, it } from 'vitest'
import { requiredOf, walkPlans } from '../../../packages/engines/src/testing/walk-plans.ts'
import { steps } from './engines.ts'

type Stated = keyof typeof steps

/** The rows of the page that are about the steps of a runner or profile. */
const rows: Readonly<Record<string, readonly Stated[]>> = {
  vips: ['Images (libvips)', 'Images, optimized', 'Office documents and books, compressed'],
  magick: ['Images (ImageMagick, Pillow, libjxl, LibRaw)'],
  pdf: ['PDF, XPS', 'DjVu'],
  ghostscript: ['PDF, XPS', 'PostScript'],
  ocr: ['Text recognition'],
  office: ['Office documents'],
  browser: ['Web pages', 'Books, printed', 'Mail, printed'],
  markup: ['Books, Markdown, mail'],
  archive: ['Archives'],
  compare: ['Reports of comparisons'],
  assimp: ['3D models'],
  dicom: ['Medical images'],
  fonts: ['Fonts'],
  data: ['Data, calendars, contacts'],
  parquet: ['Parquet tables'],
  maps: ['Maps'],
  metadata: ['Metadata'],
  speech: ['Transcripts, at most'],
  ffmpeg: ['Audio and video, at most'],
}

const nameOf = (step: Step) => (step.kind === 'call' ? step.runner : (step.profile ?? 'plain'))
const all = advertised.flatMap((ability) => walkPlans(ability, requiredOf(ability)).plans.flatMap((plan) => plan.steps))

describe('every step of every plan', () => {
  it('uses at most what the page states [L-time, L-memory, L-output]', () => {
    for (const step of all) {
      const stated = (rows[nameOf(step)] ?? []).map((row) => steps[row])
      const { timeMs, memoryBytes, outputBytes } = step.limits
      const isWithin = stated.some(
        (most) => timeMs <= most.timeMs && memoryBytes <= most.memoryBytes && outputBytes <= most.outputBytes,
      )
      expect(isWithin, `${nameOf(step)} ${JSON.stringify(step.limits)}`).toBe(true)
    }
  })

  it('is stated as it is used [L-page-time]', () => {
    // How long a recording may take depends on its length, and text is recognised only where an option asks for it.
    const varying: readonly string[] = ['Audio and video, at most', 'Transcripts, at most', 'Text recognition']
    const used = new Set(
      all.map(({ limits }) => JSON.stringify([limits.timeMs, limits.memoryBytes, limits.outputBytes])),
    )
    for (const [row, { timeMs, memoryBytes, outputBytes }] of Object.entries(steps)) {
      if (varying.includes(row)) continue
      expect(used, row).toContain(JSON.stringify([timeMs, memoryBytes, outputBytes]))
    }
  })
})
