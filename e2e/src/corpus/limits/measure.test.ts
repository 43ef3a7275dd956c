import { describe, expect, it } from 'vitest'
import type { Result } from '../result.ts'
import { LargestOfEach } from './largest.ts'
import type { Look, ZipLook } from './look-at-files.ts'
import { measureInput } from './measure-inputs.ts'
import { findUnread, measureResult } from './measure-results.ts'

const MiB = 1024 ** 2
const archive: ZipLook = { entries: 9, bytes: 900, packed: 300, depth: 1, own: 5, image: 70, pixels: 64, page: 1000 }

function look(format: string, more: Partial<Look> = {}) {
  const most = new LargestOfEach()
  measureInput({ name: `c/a.${format}`, format, content: Buffer.alloc(10), ...more }, most)
  return most.found
}

const valuesOf = (found: ReturnType<typeof look>) =>
  Object.fromEntries(Object.entries(found).map(([measure, { largest }]) => [measure, largest?.value]))

describe('the largest of each measure', () => {
  it('is that of all files, and names its file', () => {
    const most = new LargestOfEach()
    for (const [value, file] of [
      [3, 'a'],
      [7, 'b'],
      [5, 'c'],
    ] as const)
      most.count('pdfPages', value, file)
    expect(most.found).toEqual({ pdfPages: { largest: { value: 7, file: 'b' }, beyond: [] } })
  })

  it('is kept apart from what is beyond the limit', () => {
    const most = new LargestOfEach()
    most.count('pdfPages', 10_000, 'at')
    most.count('pdfPages', 10_001, 'over')
    most.count('pdfPages', 10_001, 'over')
    expect(most.found.pdfPages).toEqual({
      largest: { value: 10_000, file: 'at' },
      beyond: [{ value: 10_001, file: 'over' }],
    })
  })

  it('ignores files that nothing could convert, unless they exceed the limit', () => {
    const most = new LargestOfEach(new Set(['broken']))
    for (const value of [9000, 10_001]) most.count('pdfPages', value, 'broken')
    most.count('pdfPages', 4, 'sound')
    expect(most.found.pdfPages).toEqual({
      largest: { value: 4, file: 'sound' },
      beyond: [{ value: 10_001, file: 'broken' }],
    })
  })

  it('is undefined if nothing is known', () => {
    const most = new LargestOfEach()
    for (const value of [undefined, 0, Number.NaN]) most.count('pdfPages', value, 'a')
    expect(most.found).toEqual({})
  })
})

describe('a file', () => {
  it('that is an office document is measured as an archive and as a package', () => {
    expect(valuesOf(look('docx', { zip: archive }))).toEqual({
      fileBytes: 10,
      ...{ archiveEntries: 9, archiveBytes: 900, archiveDepth: 1 },
      ...{ packageEntries: 5, packageBytes: 900, packageImageBytes: 70, packageImagePixels: 64 },
    })
  })

  it('has a ratio only above the size from which that is limited', () => {
    const large = { ...archive, bytes: 64 * MiB, packed: 8 * MiB }
    expect(look('docx', { zip: large }).archiveRatio).toBeUndefined()
    const larger = { ...archive, bytes: 72 * MiB, packed: 8 * MiB }
    expect(look('docx', { zip: larger }).archiveRatio?.largest?.value).toBe(9)
    expect(look('epub', { zip: larger }).bookRatio?.largest?.value).toBe(9)
    expect(look('docx', { zip: larger }).packageRatio).toBeUndefined()
  })

  it('that is an image is measured by its frames, and by what reads it', () => {
    const image = { width: 20, height: 30, frames: 4 }
    expect(valuesOf(look('gif', { image }))).toMatchObject({
      imagePixels: 600,
      imageFrames: 4,
      imageFramesPixels: 2400,
    })
    expect(look('gif', { image }).imageSide).toBeUndefined()
    expect(valuesOf(look('ico', { image }))).toMatchObject({ imageSide: 30, iconSide: 30 })
    expect(valuesOf(look('fits', { image }))).toMatchObject({ imageSide: 30, fitsSide: 30 })
  })

  it('that is a drawing is measured by the code that checks it', () => {
    const type = '<!DOCTYPE svg [<!ENTITY a "0123456789">]>'
    const text = `${type}<svg width="40" height="70px"><g><g><desc>&a;</desc></g></g></svg>`
    expect(valuesOf(look('svg', { content: Buffer.from(text) }))).toMatchObject({
      drawingBytes: text.length,
      drawingDepth: 4,
      drawingSide: 70,
    })
  })

  it('that is a stored page has parts', () => {
    const page =
      'Content-Type: multipart/related\n\n--b\nContent-Type: text/html\n\nx\n--b\nContent-Type: image/png\n\ny\n--b--\n'
    expect(look('mhtml', { content: Buffer.from(page) }).storedPageParts?.largest?.value).toBe(2)
  })
})

describe('files that nothing could read', () => {
  it('are those that neither Lathe nor the bare tool converted', () => {
    const common = { size: 1, ext: 'x', format: 'x', to: 'png', verdict: 'neither', isTimed: false } as const
    const [good, bad] = [
      { end: 'converted', ms: 1 },
      { end: 'input_damaged', ms: 1 },
    ]
    const results: readonly Result[] = [
      { ...common, file: 'ours', ours: good, bare: bad },
      { ...common, file: 'bare', ours: bad, bare: good },
      { ...common, file: 'second', ours: bad },
      { ...common, file: 'second', ours: good },
      { ...common, file: 'none', ours: bad, bare: bad },
    ]
    expect([...findUnread(results)]).toEqual(['none'])
  })
})

describe('a result', () => {
  const measured = (more: Partial<Result>, facts: NonNullable<Result['ours']['facts']>) => {
    const most = new LargestOfEach()
    const ours = { end: 'converted', ms: 1, facts }
    const common = { file: 'c/a', size: 50, ext: 'x', format: 'pdf', to: 'png', isTimed: false } as const
    measureResult({ ...common, verdict: 'same', ours, ...more }, most)
    return valuesOf(most.found)
  }

  it('of a document shows sides and files', () => {
    expect(measured({}, { format: 'png', width: 8, height: 9, pages: 3 })).toEqual({ drawnSide: 9, resultFiles: 3 })
  })

  it('of an office document shows its pages', () => {
    expect(measured({ format: 'docx', to: 'pdf' }, { format: 'pdf', pages: 12 })).toEqual({ officePages: 12 })
  })

  it('of a score shows how much was played', () => {
    const seconds = measured({ format: 'mid', to: 'mp3' }, { format: 'mp3', durationMs: 10_000 })
    expect(seconds).toEqual({ mediaSeconds: 10, midiBytes: 1_764_000 })
  })

  it('that is a failure shows its message', () => {
    expect(measured({ ours: { end: 'input_damaged', text: 'Grüße', ms: 1 } }, { format: 'png' })).toEqual({
      failureBytes: 7,
    })
  })
})
