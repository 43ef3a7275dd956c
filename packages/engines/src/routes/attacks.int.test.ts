import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { includingTexts, namingTexts } from '../../../../fixtures/attacks/markup.ts'
import { postScripts } from '../../../../fixtures/attacks/postscript.ts'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'
import { sampleDicom } from '../testing/sample-dicom.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const anyEnd = /^(done|input_damaged|limit_exceeded|unsupported)$/

// The output of one engine is as hostile to the next as an uploaded file.
describe('a hostile file that goes through several engines', { timeout: 300_000 }, () => {
  it.each([
    ['rst', 'doc'],
    ['ipynb', 'doc'],
    ['org', 'doc'],
    ['tex', 'doc'],
  ])('shows no file that its text names: %s to %s', async (from, to) => {
    const texts = { ...includingTexts({ file: canary, url: attacks.url }), ...namingTexts({ file: canary }) }
    for (const { format, content } of Object.values(texts).filter((one) => one.format === from)) {
      const { code, warnings } = await attacks.run(format, content, to)
      expect(code).toBe('done')
      expect(warnings[0]).toContain('No engine converts')
    }
  })

  it('shows no file that a message names', async () => {
    const html = `<p>Kept words</p><iframe src="${attacks.url}/x"></iframe><img src="file://${canary}"><object data="${canary}"></object><link rel="stylesheet" href="file://${canary}">`
    const message = `Subject: x\nContent-Type: text/html\n\n${html}`
    for (const to of ['docx', 'epub', 'md', 'odt', 'rtf']) {
      const { code, shown } = await attacks.run('eml', message, to)
      expect(code).toBe('done')
      expect(shown).toMatch(/Kept.{0,40}words/s)
    }
  })

  it('is refused by the first of them if it claims too much', async () => {
    const large = sampleDicom({ columns: 65_535, rows: 65_535, pixels: Buffer.alloc(16) })
    for (const to of ['webp', 'avif', 'pdf']) {
      expect(await attacks.run('dcm', large, to)).toMatchObject({ code: 'limit_exceeded' })
    }
  })

  it('gets no file by PostScript that becomes a drawing', async () => {
    const programs = postScripts({ file: canary, folder: '/tmp', variable: 'PATH' })
    const quick = Object.entries(programs).filter(([what]) => !/without end|all memory/.test(what))
    for (const [what, program] of quick) {
      expect((await attacks.run('ai', program, 'gif')).code, what).toMatch(anyEnd)
      expect((await attacks.run('eps', program, 'bmp')).code, what).toMatch(anyEnd)
    }
  })
})
