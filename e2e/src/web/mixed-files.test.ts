import { afterAll, describe, expect, it } from 'vitest'
import { choose, fileOf, openConverter, type PageFile } from './files.ts'
import { closeBrowser } from './visit.ts'

afterAll(closeBrowser)

const named = (from: Parameters<typeof fileOf>[0], amount: number, nameOf: (n: number) => string): PageFile[] =>
  Array.from({ length: amount }, (_, n) => fileOf(from, nameOf(n)))

/** 30 files of five kinds. One is of a type that nothing can read. */
const mixed: readonly PageFile[] = [
  ...named('photo-40k.jpg', 14, (n) => `photo ${n}.jpg`),
  ...named('letter.docx', 5, (n) => `letter ${n}.docx`),
  ...named('speech.opus', 5, (n) => `speech ${n}.opus`),
  ...named('animated.gif', 3, (n) => `cat ${n}.gif`),
  { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Some notes.') },
  { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') },
  { name: 'data.unknown', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 159, 146, 150, 1, 2, 3]) },
]

describe.each([
  [360, 740],
  [1280, 800],
  [1920, 1080],
])('30 files of five kinds on a screen of %i by %i pixels', (width, height) => {
  it('are all converted without scrolling, and the bar says which cannot be', async () => {
    // What has completed meanwhile cannot be canceled, which the browser logs.
    await using visit = await openConverter({ width, height, tolerates: /status of 400/ })
    const { page } = visit
    await choose(visit, ...mixed)
    const button = page.getByRole('button', { name: /^Convert \d+/, disabled: false })
    await button.waitFor()
    expect(await button.textContent()).toBe('Convert 29 of 30')
    await page.getByText('1 cannot be converted').waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v1/process/jobs'))
        sent.push(...Object.keys(request.postDataJSON().tasks).filter((name) => name.startsWith('convert-')))
    })
    await button.click()
    await expect.poll(() => sent).toHaveLength(29)
    expect(await page.evaluate('scrollY')).toBe(0)
    // The conversions themselves do not depend on the screen.
    if (width === 1280) await page.getByText('29 of 30 done').waitFor({ timeout: 150_000 })
    else await page.getByRole('button', { name: 'Cancel all' }).click()
  }, 180_000)
})

describe('files that cannot all become the same', () => {
  it('each get a target that they can become', async () => {
    await using visit = await openConverter()
    const { page } = visit
    const subtitles = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n')
    await choose(
      visit,
      { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Some notes.') },
      { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('More notes.') },
      { name: 'talk.srt', mimeType: 'text/plain', buffer: subtitles },
    )
    await page.getByRole('button', { name: 'Convert 3 files', disabled: false }).click()
    await page.getByText('3 of 3 done').waitFor()
    await page.getByText('TXT → PDF').first().waitFor()
    await page.getByText(/^SRT → /).waitFor()
  })
})
