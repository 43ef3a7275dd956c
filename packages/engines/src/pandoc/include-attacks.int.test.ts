import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { climbingImages, includingTexts, keptWords, namingTexts } from '../../../../fixtures/attacks/markup.ts'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'
import { makeEpub } from '../testing/sample-books.ts'
import { abilities } from './abilities.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

/** HTML that loads other pages into itself. */
const framesOf = (url: string) =>
  [
    `<iframe src="${url}/frame"></iframe>`,
    `<iframe srcdoc="<iframe src='${url}/inner'></iframe>"></iframe>`,
    `<object data="${url}/object"></object><embed src="${url}/embed">`,
    `<frameset><frame src="${url}/set"></frameset>`,
    `<iframe src="file://${canary}"></iframe>`,
  ].join('\n')

/** One format for each way in which Pandoc writes: with and without its sandbox, as our own page, as a text. */
const written = ['docx', 'epub', 'pptx', 'html', 'rtf', 'tex']
const targetsOf = (format: string) =>
  written.filter((to) => abilities.some((one) => one.from === format && one.to === to))

describe('a text that includes other files [A09]', () => {
  const formats = Object.keys(includingTexts({ file: '', url: '' }))

  it.each(formats)('gets none of them: %s', { timeout: 180_000 }, async (format) => {
    const { content = '' } = includingTexts({ file: canary, url: attacks.url })[format] ?? {}
    for (const to of targetsOf(format)) {
      const { code, shown } = await attacks.run(format, content, to)
      expect(code, to).toBe('done')
      expect(shown, to).toMatch(/Kept.{0,40}words/s)
    }
  })

  it('by a function of Typst is refused', { timeout: 60_000 }, async () => {
    const content = `${keptWords}\n\n#let words = read("${canary}")\n#words\n`
    for (const to of ['docx', 'html'])
      expect(await attacks.run('typ', content, to)).toMatchObject({ code: 'input_damaged' })
  })
})

describe('a text whose properties name files [A09]', () => {
  it.each(Object.keys(namingTexts({ file: '' })))('is written without them: %s', { timeout: 180_000 }, async (what) => {
    const { format = '', content = '' } = namingTexts({ file: canary })[what] ?? {}
    for (const to of targetsOf(format)) {
      const { code, shown } = await attacks.run(format, content, to)
      expect(code, to).toBe('done')
      expect(shown, to).toMatch(/Kept.{0,40}words/s)
    }
  })

  it('is written although they are nowhere', { timeout: 60_000 }, async () => {
    const { format = '', content = '' } = namingTexts({ file: 'missing.css' })['the properties of Markdown'] ?? {}
    for (const to of ['epub', 'pptx']) expect(await attacks.run(format, content, to)).toMatchObject({ code: 'done' })
  })
})

describe('an image whose type is a path (CVE-2023-35936, CVE-2023-38745) [A09]', () => {
  it('is no path of the archive that is made [CVE-2023-35936, CVE-2023-38745]', { timeout: 180_000 }, async () => {
    for (const to of ['docx', 'odt', 'epub', 'pptx']) {
      const { code, files } = await attacks.run('md', climbingImages('pwned'), to)
      if (code !== 'done') {
        expect(code, to).toBe('input_damaged')
        continue
      }
      const archive = files[0]?.bytes ?? Buffer.alloc(0)
      const list = 'import sys, zipfile; print(*zipfile.ZipFile("a.zip").namelist(), sep="\\n")'
      const { outputs } = await attacks.bench.tool('/bin/sh', ['-c', `python3 -c '${list}' > names`], {
        files: { 'a.zip': archive },
        outputs: ['names'],
      })
      const names = String(outputs.names).trim().split('\n')
      expect(names.length).toBeGreaterThan(5)
      for (const name of names) expect(name, to).not.toMatch(/\.\.|%2e|^\/|\\/i)
    }
  })
})

// Pandoc kept frames of untrusted HTML, and the programs that print pages for it loaded them.
describe('a frame in a text (CVE-2025-51591) [A09]', () => {
  const texts: Readonly<Record<string, (html: string) => string | Uint8Array>> = {
    html: (html) => `<html><body><p>${keptWords}</p>${html}</body></html>`,
    md: (html) => `${keptWords}\n\n${html}\n`,
    org: (html) => `${keptWords}\n\n#+begin_export html\n${html}\n#+end_export\n`,
    rst: (html) => `${keptWords}\n\n.. raw:: html\n\n${html.replaceAll(/^/gm, '   ')}\n`,
    epub: (html) => makeEpub({ chapters: [`<html><body><p>${keptWords}</p>${html}</body></html>`] }),
  }

  it.each(Object.keys(texts))('is loaded by nobody: %s [CVE-2025-51591]', { timeout: 180_000 }, async (format) => {
    const content = texts[format]?.(framesOf(attacks.url)) ?? ''
    for (const to of [...targetsOf(format), 'pdf']) {
      const { code, shown } = await attacks.run(format, content, to)
      expect(code, to).toBe('done')
      expect(shown, to).not.toContain(attacks.url)
      // The words of a PDF are numbers of glyphs.
      if (to !== 'pdf') expect(shown, to).toMatch(/Kept.{0,40}words/s)
    }
  })
})
