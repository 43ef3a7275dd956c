import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { choose, fileOf, openConverter } from './files.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, type Visit, type VisitOptions } from './visit.ts'

afterAll(closeBrowser)

const photo = fileOf('photo-40k.jpg', 'holiday.jpg')
const small = fileOf('rotated-exif.jpg', '<b>small</b>.jpg')
const pdf = fileOf('two-pages.pdf', 'report.pdf')

async function download(page: Page, name: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const link = page.getByRole('link', { name })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

async function expectNoBarriers(visit: Visit): Promise<void> {
  expect(await visit.barriers()).toEqual([])
  expect(await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

const namesIn = (page: Page) => page.getByRole('dialog').locator('li bdi').allTextContents()

async function openMerge(files: readonly (typeof photo)[], options: VisitOptions = {}): Promise<Visit> {
  const visit = await openConverter(options)
  await choose(visit, ...files)
  await visit.page.getByRole('button', { name: 'Merge', exact: true }).click()
  await visit.page.getByRole('dialog').waitFor()
  return visit
}

describe('merging', () => {
  it('makes one PDF of images and documents, in the order given by keys', async () => {
    await using visit = await openMerge([photo, small, pdf])
    const { page } = visit
    await expectNoBarriers(visit)
    // The browser shows images; the service shows pages of a PDF, which is sent for that.
    await page.getByRole('dialog').locator('[data-preview=shown] img').waitFor()
    await page.getByRole('button', { name: /^report.pdf, number 3/ }).press('ArrowUp')
    expect(await namesIn(page)).toEqual(['holiday.jpg', 'report.pdf', '<b>small</b>.jpg'])
    await page.getByRole('button', { name: /^report.pdf, number 2/ }).press('Home')
    await page.getByText('report.pdf is now number 1 of 3').waitFor()
    await page.getByLabel('Name of the PDF').fill('every/thing')
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/process/jobs')),
      page.getByRole('button', { name: 'Merge 3 files' }).click(),
    ])
    expect(request.postDataJSON().tasks.merge).toMatchObject({
      input: [expect.stringMatching(/^[0-9a-f]{24}$/), 'file-1', 'file-2'],
    })
    await page.getByText('1 of 1 done').waitFor()
    await page.getByText('3 files merged').waitFor()
    const { name, bytes } = await download(page, 'Download the result of every_thing.pdf')
    expect(name).toBe('every_thing.pdf')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('is ordered by dragging, leaves files out, and can be taken apart without sending anything again', async () => {
    await using visit = await openMerge([photo, small, pdf])
    const { page } = visit
    const grip = (name: RegExp) => page.getByRole('button', { name })
    await grip(/^holiday.jpg, number 1/).dragTo(page.getByRole('dialog').locator('li').nth(2))
    expect((await namesIn(page)).at(-1)).toBe('holiday.jpg')
    await page.getByRole('button', { name: 'Leave out report.pdf' }).click()
    await page.getByRole('button', { name: 'Merge 2 files' }).click()
    const row = page.getByRole('article', { name: 'merged.pdf' })
    await row.getByRole('link', { name: /^Download/ }).waitFor()
    await page.getByRole('article', { name: 'report.pdf' }).waitFor()
    await page.waitForTimeout(600)
    await page.reload()
    await row.getByRole('button', { name: 'Take merged.pdf apart' }).click()
    await page.getByRole('article', { name: '<b>small</b>.jpg', exact: true }).waitFor()
    let uploads = 0
    page.on('request', (request) => (uploads += request.url().includes('/v1/uploads/') ? 1 : 0))
    await page.getByRole('button', { name: 'Remove report.pdf from the list' }).click()
    await page.getByRole('button', { name: 'Convert 2 files' }).click()
    await page.getByText('2 of 2 done').waitFor()
    expect(uploads).toBe(0)
  })

  it('is not offered for a single file, nor for what cannot be merged', async () => {
    await using visit = await openConverter()
    await choose(visit, photo, fileOf('letter.docx'))
    await visit.page.getByRole('button', { name: 'Convert 2 files' }).waitFor()
    expect(await visit.page.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0)
  })

  it('says why it failed', async () => {
    const broken = { ...pdf, buffer: Buffer.from('no document') }
    // There is no preview of it.
    await using visit = await openMerge([photo, broken], { tolerates: /status of 4\d\d/ })
    await visit.page.getByRole('button', { name: 'Merge 2 files' }).click()
    await visit.page.getByRole('article', { name: 'merged.pdf' }).getByRole('alert').waitFor()
    await visit.page.getByRole('button', { name: 'Take merged.pdf apart' }).click()
    await visit.page.getByRole('button', { name: 'Convert 2 files' }).waitFor()
  })
})

async function openCrop(): Promise<Visit> {
  const visit = await openConverter()
  await choose(visit, photo)
  await visit.page.getByRole('button', { name: 'Crop holiday.jpg' }).click()
  await visit.page.getByRole('button', { name: /^Frame at 0, 0/ }).waitFor()
  return visit
}

describe('cropping', () => {
  it('keeps what is in the frame, set by numbers, and converts it', async () => {
    await using visit = await openCrop()
    const { page } = visit
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Width (px)').fill('64')
    await dialog.getByLabel('Height (px)').fill('48')
    await dialog.getByLabel('From the left (px)').fill('10')
    await dialog.getByText(/^Keeps 64 × 48 of/).waitFor()
    await expectNoBarriers(visit)
    await dialog.getByRole('button', { name: 'Crop', exact: true }).click()
    await page.getByText('cropped').waitFor()
    await page.getByRole('combobox', { name: /^Convert holiday.jpg to/ }).click()
    await page.getByRole('option', { name: /^PNG/ }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    const { bytes } = await download(page, 'Download the result of holiday.jpg')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 48])
  })

  it('is done by keys: arrows move the frame, with Shift they change its size', async () => {
    await using visit = await openCrop()
    const frame = visit.page.getByRole('button', { name: /^Frame at/ })
    const read = async () => ((await frame.getAttribute('aria-label')) ?? '').match(/\d+/g)?.map(Number) ?? []
    const [, , width = 0, height = 0] = await read()
    for (let n = 0; n < 3; n += 1) await frame.press('Shift+ArrowLeft')
    await frame.press('Control+Shift+ArrowUp')
    await frame.press('ArrowRight')
    const [x = 0, y, less = 0, lower] = await read()
    expect(x).toBeGreaterThan(0)
    expect([y, lower]).toEqual([0, height - 1])
    expect(less).toBeLessThan(width)
  })

  it('is done by the pointer, and can be undone', async () => {
    await using visit = await openCrop()
    const { page } = visit
    const frame = page.getByRole('button', { name: /^Frame at/ })
    const box = await frame.boundingBox()
    if (!box) throw new Error('the frame has no place')
    await page.mouse.move(box.x + box.width - 5, box.y + box.height - 5)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    const [, , width = 0] = ((await frame.getAttribute('aria-label')) ?? '').match(/\d+/g)?.map(Number) ?? []
    await page.getByRole('button', { name: 'Crop', exact: true }).click()
    await page.getByText('cropped').waitFor()
    await page.getByRole('button', { name: 'Crop holiday.jpg' }).click()
    await page.getByRole('button', { name: new RegExp(`^Frame at 0, 0, ${width} by`) }).waitFor()
    await page.getByRole('button', { name: 'Keep the whole image' }).click()
    await page.getByText('cropped').waitFor({ state: 'detached' })
  })

  it('of a file that stays in its format does not convert it', async () => {
    await using visit = await openCrop()
    const { page } = visit
    await page.getByLabel('Width (px)').fill('100')
    await page.getByRole('button', { name: 'Crop', exact: true }).click()
    await page.getByRole('combobox', { name: /^Convert holiday.jpg to/ }).click()
    await page.getByRole('option', { name: /^JPG/ }).click()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/process/jobs')),
      page.getByRole('button', { name: 'Convert 1 file' }).click(),
    ])
    expect(request.postDataJSON().tasks['convert-0']).toMatchObject({ operation: 'crop', input: 'file-0' })
    await page.getByText('1 of 1 done').waitFor()
  })
})

/** A WAV of silence and then sound, of 8,000 samples a second. */
function recording(seconds: number): Buffer {
  const samples = Buffer.from(Array.from({ length: 8000 * seconds }, (_, n) => 128 + Math.round(100 * Math.sin(n / 9))))
  const head = Buffer.from('524946460000000057415645666d74201000000001000100401f0000401f00000100080064617461', 'hex')
  head.writeUInt32LE(36 + samples.length, 4)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(samples.length)
  return Buffer.concat([head, length, samples])
}

/** How many different colors the canvas of a dialog has in each tenth of its width, at least. */
const colorsOnCanvas = `(() => {
  const canvas = document.querySelector('[role=dialog] canvas')
  if (!canvas) return 0
  const part = canvas.width / 10
  // A copy: reading a canvas again and again is a warning in the console.
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
  copy.drawImage(canvas, 0, 0)
  const colors = Array.from({ length: 10 }, (_, n) => {
    const { data } = copy.getImageData(n * part, 0, part, canvas.height)
    return new Set(new Uint32Array(data.buffer)).size
  })
  return Math.min(...colors)
})()`

describe('trimming', () => {
  const talk = { name: 'talk.wav', mimeType: 'audio/wav', buffer: recording(4) }

  it('keeps the time between two handles and two fields', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, talk)
    await page.getByRole('button', { name: 'Trim talk.wav' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Keeps 0:04').waitFor()
    await dialog.getByLabel('Start', { exact: true }).fill('0:01.5')
    await dialog.getByRole('slider', { name: 'End of the part to keep' }).press('Home')
    await dialog.getByText('The end must come after the start.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Trim', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('End', { exact: true }).fill('later')
    await dialog.getByText('Enter a time such as 1:05.').waitFor()
    await dialog.getByLabel('End', { exact: true }).fill('2.5')
    await dialog.getByText('Keeps 0:01').waitFor()
    await expectNoBarriers(visit)
    await dialog.getByRole('button', { name: 'Trim', exact: true }).click()
    await page.getByText('trimmed').waitFor()
    await page.getByRole('combobox', { name: /^Convert talk.wav to/ }).click()
    await page.getByRole('option', { name: /^WAV/ }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    const { bytes } = await download(page, 'Download the result of talk.wav')
    // Bytes a second, wherever the description of the sound is.
    const rate = bytes.readUInt32LE(bytes.indexOf('fmt ') + 16)
    expect(bytes.length / rate).toBeGreaterThan(0.95)
    expect(bytes.length / rate).toBeLessThan(1.1)
  })

  it('has its handles on the waveform, and dims what is cut away', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, talk)
    await page.getByRole('button', { name: 'Trim talk.wav' }).click()
    const dialog = page.getByRole('dialog')
    const start = dialog.getByRole('slider', { name: 'Start of the part to keep' })
    await start.waitFor()
    await expect.poll(() => page.evaluate(colorsOnCanvas)).toBeGreaterThan(1)
    const [handle, waveform] = [await start.boundingBox(), await dialog.locator('canvas').boundingBox()]
    expect([handle?.y, handle?.height]).toEqual([waveform?.y, waveform?.height])
    await dialog.getByLabel('Start', { exact: true }).fill('1')
    await dialog.getByLabel('End', { exact: true }).fill('3')
    const cut = await dialog.locator('[data-cut]').all()
    const shares = await Promise.all(
      cut.map(async (one) => ((await one.boundingBox())?.width ?? 0) / (waveform?.width ?? 1)),
    )
    expect(shares.map((share) => Math.round(share * 100))).toEqual([25, 25])
    // Dragged on the waveform itself.
    const y = (waveform?.y ?? 0) + (waveform?.height ?? 0) / 2
    const at = (share: number) => (waveform?.x ?? 0) + (waveform?.width ?? 0) * share
    await page.mouse.move(at(0.25), y)
    await page.mouse.down()
    await page.mouse.move(at(0.5), y, { steps: 4 })
    await page.mouse.up()
    expect(Number(await start.inputValue())).toBeCloseTo(2, 0)
  })

  it('shows a video, and is done by keyboard alone', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, fileOf('clip.mp4', 'video.mp4'))
    const keyboard = createKeyboard(page)
    await keyboard.press('Trim video.mp4')
    const start = page.getByRole('slider', { name: 'Start of the part to keep' })
    await start.waitFor()
    await keyboard.press('Start of the part to keep', 'ArrowRight')
    expect(Number(await start.inputValue())).toBeGreaterThan(0)
    // The frames of the video, which are not all of one color.
    await expect.poll(() => page.evaluate(colorsOnCanvas)).toBeGreaterThan(10)
    await expectNoBarriers(visit)
    await keyboard.press('Trim')
    await page.getByText('trimmed').waitFor()
    await page.waitForTimeout(600)
    await page.reload()
    await page.getByText('trimmed').waitFor()
  })
})
