import { isFailure } from '@lathe/domain'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { planTask } from '../registry.ts'
import { openPdfAttacks, type PdfAttacks } from '../testing/pdf-attacks.ts'
import { onePage, stream } from './hostile-pdf.ts'

let given: PdfAttacks
beforeAll(async () => {
  given = await openPdfAttacks()
})
afterAll(() => given[Symbol.asyncDispose]())
afterEach(() => expect(given.tripwire.hits()).toBe(0))

sharp.cache(false)

const eps = (program: string) => `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 200 200\n${program}\nshowpage\n%%EOF\n`
const show = '/Helvetica findfont 12 scalefont setfont 10 100 moveto'

describe('A06: PostScript', () => {
  it.each([
    ['reads a file of the host', () => `${show} (${given.secret}) (r) file 64 string readstring pop show`],
    ['reads a file of the engine root', () => `${show} (/etc/passwd) (r) file 64 string readstring pop show`],
    ['runs a command to write', () => '(%pipe%touch /job/pwn) (w) file closefile'],
    ['runs a command to read', () => `${show} (%pipe%id) (r) file 64 string readstring pop show`],
    ['runs a command by a bar', () => '(|touch /job/pwn) (w) file closefile'],
    [
      'changes where the device writes to',
      () => 'mark /OutputFile (%pipe%touch /job/pwn) currentdevice putdeviceprops',
    ],
    [
      'leaves the safe mode',
      () => 'systemdict /.setsafe known { .forceput } if << /SAFER false >> setuserparams (/etc/passwd) (r) file',
    ],
    ['writes a file beside', () => '(pwn) (w) file dup (x) writestring closefile'],
    ['removes its input', () => '(in-0.eps) deletefile (in-0.eps) (r) file'],
    ['lists files', () => `${show} (/etc/*) { show } 256 string filenameforall`],
  ])('that %s reads nothing', async (_, program) => {
    const end = await given.attack(eps(program()), { format: 'eps', to: 'pdf' })
    if (isFailure(end)) expect(['input_damaged', 'unsupported']).toContain(end.code)
    expect(await given.textOf(end)).not.toMatch(/root|uid=|passwd|CANARY/)
    expect(isFailure(end) ? 1 : end.files.length).toBe(1)
  })

  it('that asks for the environment learns nothing of the worker', async () => {
    const program = `${show} (CANARY_ENV) getenv { show } { (nothing) show } ifelse (HOME) getenv { show } if`
    expect(await given.textOf(await given.attack(eps(program), { format: 'eps', to: 'pdf' }))).not.toContain(
      given.canary,
    )
  })

  it('that loops forever is stopped, by its deadline or by a cancel', async () => {
    const content = eps('{} loop')
    const source = { file: 'in-0.eps', format: 'eps', size: content.length, filename: 'x' }
    const plan = planTask({ operation: 'convert', sources: [source], to: 'png', options: {} })
    if (isFailure(plan)) throw new Error('no plan')
    expect(plan.steps[0]?.limits.timeMs).toBeLessThanOrEqual(120_000)
    const sources = [{ format: 'eps', content }]
    const started = performance.now()
    await given.bench.run({ operation: 'convert', sources, to: 'png', signal: AbortSignal.timeout(2000) })
    expect(performance.now() - started).toBeLessThan(10_000)
    await given.stillWorks()
  })

  it.each(['jpg', 'ai', 'ps'])('named .%s is handled in the same way', async (format) => {
    const end = await given.attack(eps(`${show} (/etc/passwd) (r) file 64 string readstring pop show`), {
      format,
      to: format === 'jpg' ? 'png' : 'pdf',
    })
    if (isFailure(end)) expect(['input_damaged', 'unsupported']).toContain(end.code)
    expect(await given.textOf(end)).not.toContain('root')
  })

  it('within a PDF is not run', async () => {
    const program = stream('(/etc/passwd) (r) file 64 string readstring pop show', '/Type /XObject /Subtype /PS')
    const content = onePage('/X Do', { resources: '/XObject << /X 5 0 R >>', more: [program] })
    for (const options of [{ pdf_a: '2b' }, { pdf_version: '1.4' }]) {
      expect(await given.textOf(await given.attack(content, { to: 'pdf', options }))).not.toContain('root')
    }
  })

  it('works otherwise: pixels are where it drew them', async () => {
    const end = await given.attack(eps('1 0 0 setrgbcolor 0 100 100 100 rectfill'), {
      format: 'eps',
      options: { dpi: 72 },
    })
    if (isFailure(end)) throw new Error(end.detail)
    const picture = sharp(end.files[0]?.bytes)
    expect(await picture.metadata()).toMatchObject({ width: 200, height: 200 })
    const { dominant } = await sharp(
      await picture.extract({ left: 10, top: 10, width: 80, height: 80 }).toBuffer(),
    ).stats()
    expect(dominant.r).toBeGreaterThan(240)
    expect(dominant.g).toBeLessThan(16)
  })
})
