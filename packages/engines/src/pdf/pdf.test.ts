import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import type { Plan, PlanRequest, ProcessStep } from '../engine.ts'
import { a4, commands, last, requested, second, source, written } from '../testing/pdf-plans.ts'
import { pdf } from './pdf.ts'

describe('the first step for a document', () => {
  it('asks for its pages', () => {
    expect(commands(pdf.plan(requested({})))).toEqual(['sh probe.sh in-0.pdf pdfinfo -f 1 -l 10001 in-0.pdf'])
  })

  it('opens it before with its password, which is no argument', () => {
    const plan = pdf.plan(requested({ options: { password: 'sesame' } }))
    expect(commands(plan)).toEqual([
      'qpdf --warning-exit-0 --password-file=password.txt --decrypt in-0.pdf unlocked-0.pdf',
      'sh probe.sh unlocked-0.pdf pdfinfo -f 1 -l 10001 unlocked-0.pdf',
    ])
    expect(written(plan)).toMatchObject({ 'password.txt': 'sesame' })
  })

  it('distinguishes a wrong or missing password, damage and a crash', () => {
    const [probe] = (pdf.plan(requested({ options: { strict: true } })) as Plan).steps as ProcessStep[]
    expect(probe?.readExit?.({ code: 1, stderr: 'Command Line Error: Incorrect password' })).toMatchObject({
      code: 'input_encrypted',
    })
    expect(probe?.readExit?.({ code: 1, stderr: 'Syntax Error' })).toMatchObject({ code: 'input_damaged' })
    expect(probe?.readExit?.({ code: 139, stderr: '' })).toBeUndefined()
  })

  it('lifts restrictions of a document that opens without a password, and says so', () => {
    const plan = second({}, a4(1).replace('no', 'yes (print:no)'))
    expect(commands(plan)[0]).toBe('qpdf --warning-exit-0 --decrypt in-0.pdf unlocked-0.pdf')
    expect(last(plan)).toMatchObject({ warnings: [expect.stringContaining('restricted')] })
  })
})

describe('a damaged document', () => {
  const broken = (request: Partial<PlanRequest> = {}) => second(request, '')
  const rebuilt = `${a4(1)}Structure: damaged\n`

  it('that does not open is repaired by MuPDF, then by qpdf, then drawn anew, then refused', () => {
    const byMupdf = broken()
    expect(commands(byMupdf)).toEqual([
      'timeout 30 mutool clean -D in-0.pdf repaired-2-0.pdf',
      'sh probe.sh repaired-2-0.pdf pdfinfo -f 1 -l 10001 repaired-2-0.pdf',
    ])
    const byQpdf = last(byMupdf, '')
    expect(commands(byQpdf)).toEqual([
      'timeout 30 qpdf --warning-exit-0 --empty --pages in-0.pdf 1-z -- repaired-1-0.pdf',
      'sh probe.sh repaired-1-0.pdf pdfinfo -f 1 -l 10001 repaired-1-0.pdf',
    ])
    const redrawn = last(byQpdf, '')
    expect(commands(redrawn)[0]).toBe('timeout 30 pdftocairo -pdf in-0.pdf repaired-0-0.pdf')
    expect(last(redrawn, '')).toMatchObject({ code: 'input_damaged' })
  })

  it('is drawn from its repaired copy, with a warning', () => {
    const plan = last(broken(), a4(1))
    expect(commands(plan)).toEqual(['pdftoppm -png -cropbox -r 150 -f 1 -l 1 repaired-2-0.pdf out-0'])
    expect(last(plan)).toMatchObject({ steps: [], warnings: [expect.stringContaining('was repaired')] })
  })

  it('that poppler repairs by itself causes one warning', () => {
    expect(last(second({}, rebuilt))).toMatchObject({ warnings: [expect.stringContaining('was repaired')] })
    expect(second({}, rebuilt)).toMatchObject({ warnings: [] })
  })

  it('is refused where strict is asked for', () => {
    const options = { strict: true }
    expect(broken({ options })).toMatchObject({ code: 'input_damaged' })
    expect(second({ options }, rebuilt)).toMatchObject({ code: 'input_damaged' })
    expect(commands(second({ options }))).toEqual(commands(second({})))
  })

  it('that opens, but not for the program that follows, is repaired too', () => {
    const plan = second({ to: 'pdf' })
    if (isFailure(plan)) throw new Error('no plan')
    const [tidy] = plan.steps as ProcessStep[]
    expect(tidy?.readExit?.({ code: 1, stderr: 'pikepdf.PdfError' })).toEqual({})
    expect(plan.next?.({ stdout: [''], results: [], sizes: {} })).toMatchObject({
      steps: [{ args: ['30', 'mutool', 'clean', '-D', 'in-0.pdf', 'repaired-2-0.pdf'] }, { program: 'sh' }],
    })
  })

  it('of which pages are missing is repaired too', () => {
    const plan = second({}) as Plan
    const two = { 'out-0-1.png': 10, 'out-0-3.png': 10 }
    expect(plan.next?.({ stdout: [''], results: [], sizes: two })).toMatchObject({
      steps: [{ program: 'timeout' }, {}],
    })
    expect(plan.next?.({ stdout: [''], results: [], sizes: { ...two, 'out-0-2.png': 10 } })).toMatchObject({
      steps: [],
    })
  })

  it('is not handed to a runner before it could be read', () => {
    const plan = second({ to: 'docx' })
    expect(commands(plan)).toEqual(['python3 tidy.py in-0.pdf out-0.pdf tidy.json', 'sh weigh.sh out-0.pdf'])
    expect(commands(last(plan))).toEqual(['office'])
  })

  it('keeps its pages that have a size', () => {
    const info = 'Pages:           2\nEncrypted:       no\nPage 1 size: 0 x 0 pts\nPage 2 size: 72 x 72 pts\n'
    const plan = second({}, info)
    expect(commands(plan)).toEqual(['pdftoppm -png -cropbox -r 150 -f 2 -l 2 in-0.pdf out-0'])
    expect(last(plan)).toMatchObject({ warnings: [expect.stringContaining('Page 1 has no size')] })
  })

  it('whose encryption only poppler understands is left to poppler', () => {
    const plan = second({ to: 'txt' }, a4(1).replace('no', 'yes (print:no)')) as Plan
    expect(commands(plan)[0]).toContain('--decrypt')
    const next = plan.next?.({ stdout: ['', ''], results: [], sizes: {} }) as Plan
    expect(commands(next)).toEqual([expect.stringMatching(/^pdftotext .* in-0.pdf out-0.txt$/)])
  })
})

describe('XPS and DjVu', () => {
  it('are drawn as PDF first', () => {
    expect(commands(pdf.plan(requested({ sources: [source('xps')], to: 'png' })))[0]).toBe(
      'mutool convert -F pdf -o drawn-0.pdf in-0.xps 1-10001',
    )
    expect(commands(pdf.plan(requested({ sources: [source('djvu')], to: 'pdf' })))).toEqual([
      'ddjvu -format=pdf -quality=90 -page=1-10001 in-0.djvu drawn-0.pdf',
    ])
  })

  it('are counted and measured where they are tidied, and opened like any PDF where that fails or more is asked for', () => {
    const asked = { sources: [source('xps')], to: 'pdf' }
    const plan = pdf.plan(requested(asked)) as Plan
    expect(commands(plan).at(-1)).toBe('python3 tidy.py drawn-0.pdf out-0.pdf tidy.json')
    const after = (pages: number, points: number, sizes = { 'out-0.pdf': 1 }) =>
      plan.next?.({
        stdout: ['', `{"scripts": 1, "longest": 2, "pages": ${pages}, "points": ${points}}\n`],
        results: [],
        sizes,
      })
    expect(after(3, 842)).toMatchObject({ steps: [], warnings: [expect.stringContaining('Scripts')] })
    expect(after(10_000, 14_400)).toMatchObject({ steps: [] })
    expect(after(10_001, 842)).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('10001 pages') })
    expect(after(3, 14_401)).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('Page 2') })
    const unread = plan.next?.({ stdout: ['', ''], results: [], sizes: {} })
    expect(commands(unread as Plan)[0]).toMatch(/^sh probe.sh drawn-0.pdf/)
    const chosen = pdf.plan(requested({ ...asked, options: { pages: '1' } })) as Plan
    expect(commands(chosen).at(-1)).toMatch(/^sh probe.sh drawn-0.pdf/)
  })

  it('leave out pages of a DjVu file that are damaged, unless strict is asked for', () => {
    const asked = { sources: [source('djvu')], to: 'pdf' }
    const plan = pdf.plan(requested(asked)) as Plan
    expect(plan.next?.({ stdout: [''], results: [], sizes: {} })).toMatchObject({
      steps: [{ args: expect.arrayContaining(['-skip']) }, { program: 'python3' }],
      warnings: [expect.stringContaining('damaged')],
    })
    const [strict] = (pdf.plan(requested({ ...asked, options: { strict: true } })) as Plan).steps as ProcessStep[]
    expect(strict?.readExit?.({ code: 10, stderr: '' })).toMatchObject({ code: 'input_damaged' })
  })

  it('give the text that is stored in a DjVu file, page by page', () => {
    const plan = pdf.plan(requested({ sources: [source('djvu')], to: 'txt', options: { pages: '2-' } })) as Plan
    expect(commands(plan)).toEqual(['djvused -e n in-0.djvu'])
    const found = (stdout: string, sizes = {}) => ({ stdout: [stdout], results: [], sizes })
    const next = plan.next?.(found('3\n')) as Plan
    expect(commands(next)).toEqual(['djvutxt --page=2-3 in-0.djvu out-0.txt'])
    expect(next.next?.(found('', { 'out-0.txt': 2 }))).toMatchObject({ warnings: [expect.stringContaining('no text')] })
    expect(next.next?.(found('', { 'out-0.txt': 200 }))).toMatchObject({ warnings: [] })
    expect(plan.next?.(found('10001\n'))).toMatchObject({ code: 'limit_exceeded' })
    expect(plan.next?.(found(''))).toMatchObject({ code: 'input_damaged' })
  })
})

describe('pages as images', () => {
  it('are drawn in one run', () => {
    expect(commands(second({}))).toEqual(['pdftoppm -png -cropbox -r 150 -f 1 -l 3 in-0.pdf out-0'])
    expect(second({})).toMatchObject({ outputs: [{ file: 'out-0-*.png', format: 'png', source: 0 }] })
  })

  it('are drawn as asked', () => {
    const options = { pages: '3,1', width: 500, height: 2000, gray: true, quality: 40 }
    expect(commands(second({ to: 'jpg', options }))).toEqual([
      'pdftoppm -jpeg -jpegopt quality=40,optimize=y -cropbox -gray -scale-to-x 500 -scale-to-y -1 -f 1 -l 1 in-0.pdf out-0',
      'pdftoppm -jpeg -jpegopt quality=40,optimize=y -cropbox -gray -scale-to-x 500 -scale-to-y -1 -f 3 -l 3 in-0.pdf out-0',
    ])
    expect(commands(second({ options: { transparent: true } }))[0]).toMatch(/^pdftocairo -png -cropbox -transp/)
  })

  it('are drawn in ten runs where there are many, and never more than 1,000 in one', () => {
    expect(commands(second({}, a4(200)))).toHaveLength(10)
    expect(commands(second({}, a4(10_000)))).toHaveLength(10)
  })

  it('are joined to one TIFF', () => {
    expect(commands(second({ to: 'tiff' })).at(-1)).toBe('python3 join_tiff.py out-0-*.tif out-0.tiff')
  })

  it('keep to 10,000 pixels: less by itself, a refusal where more was asked for', () => {
    const wide = 'Pages:           1\nEncrypted:       no\nPage 1 size: 6000 x 100 pts\nPage 1 rot: 90\n'
    const plan = second({}, wide)
    expect(commands(plan)[0]).toContain('-scale-to 10000')
    expect(last(plan)).toMatchObject({ warnings: [expect.stringContaining('10000')] })
    expect(commands(second({ options: { dpi: 150 } }, wide))).toEqual(commands(plan))
    expect(second({ options: { dpi: 151 } }, wide)).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('210 x 12584'),
    })
    expect(second({ options: { height: 10_000 } }, wide)).toMatchObject({ kind: 'plan' })
    expect(second({ options: { width: 10_000 } }, wide)).toMatchObject({ code: 'limit_exceeded' })
  })

  it.each(['0', '4', '2-4', '9-'])('are refused for the pages %s of three', (pages) => {
    expect(second({ options: { pages } })).toMatchObject({
      code: 'unsupported',
      text: expect.stringContaining('has 3'),
    })
  })
})

describe('the limits of a document', () => {
  it.each([
    [9999, true],
    [10_000, true],
    [10_001, false],
  ])('allow %i pages: %s', (count, isAllowed) => {
    expect(isFailure(second({ to: 'txt' }, a4(count)))).toBe(!isAllowed)
  })

  it.each([
    [14_399, true],
    [14_400, true],
    [14_401, false],
  ])('allow pages of %i points: %s [L-points]', (side, isAllowed) => {
    const info = `Pages:           1\nPage 1 size: ${side} x 10 pts\n`
    expect(isFailure(second({ to: 'txt' }, info))).toBe(!isAllowed)
  })

  it.each(['', 'Pages:           2\nPage 1 size: 9 x 9 pts\n', 'Pages:           0\n'])(
    'treat %j as damage',
    (info) => {
      expect(second({ to: 'txt', options: { strict: true } }, info)).toMatchObject({ code: 'input_damaged' })
    },
  )
})

describe('a PDF of a PDF', () => {
  const all = {
    pages: '2-3',
    rotate: '90',
    rotate_pages: '2',
    linearize: true,
    flatten: true,
    pdf_version: '1.6',
    ocr: true,
    ocr_language: 'deu',
    output_password: 'sesame',
    owner_password: 'mine',
    allow_copying: false,
    allow_printing: 'low',
  }

  it('goes through every stage asked for, from file to file', () => {
    const plan = second({ to: 'pdf', options: all })
    expect(commands(plan)).toEqual([
      'qpdf --warning-exit-0 in-0.pdf --pages . 2-3 -- a-0.pdf',
      'python3 tidy.py a-0.pdf b-0.pdf tidy.json',
      expect.stringMatching(/^ocrmypdf .*--language deu b-0.pdf c-0.pdf$/),
      expect.stringMatching(/^gs -q -dSAFER .* -dCompatibilityLevel=1.6 -sOutputFile=d-0.pdf prologue.ps c-0.pdf$/),
      'qpdf --warning-exit-0 --rotate=+90:2-2 --generate-appearances --flatten-annotations=all --linearize @lock.txt d-0.pdf out-0.pdf',
    ])
    expect(written(plan)['lock.txt']?.split('\n')).toEqual([
      '--encrypt',
      '--user-password=sesame',
      '--owner-password=mine',
      '--bits=256',
      '--print=low',
      '--modify=all',
      '--extract=n',
      '--',
      '',
    ])
  })

  it('is at least cleaned, with a warning about removed content', () => {
    const plan = second({ to: 'pdf' })
    expect(commands(plan)).toEqual(['python3 tidy.py in-0.pdf out-0.pdf tidy.json'])
    if (isFailure(plan)) throw new Error('no plan')
    const end = plan.next?.({
      stdout: ['{"scripts": 2, "attachments": 0, "media": 0, "signatures": 1}'],
      results: [],
      sizes: { 'out-0.pdf': 1000 },
    })
    expect(end).toMatchObject({
      steps: [],
      warnings: [expect.stringContaining('Scripts'), expect.stringContaining('signed')],
    })
  })

  it('uses Ghostscript for PDF/A, which takes no password', () => {
    expect(commands(second({ to: 'pdf', options: { pdf_a: '2b' } })).at(-1)).toContain('-dPDFA=2 ')
    expect(pdf.plan(requested({ to: 'pdf', options: { pdf_a: '2b', output_password: 'x' } }))).toMatchObject({
      code: 'unsupported',
    })
  })

  it('is compressed by MuPDF, or the original stays', () => {
    const plan = second({ operation: 'compress', to: 'pdf', options: { level: 'high', dpi: 100 } })
    expect(commands(plan).at(-1)).toContain(
      '--color-lossy-image-subsample-dpi 125,100 --color-lossy-image-recompress-method jpeg:60',
    )
    expect(plan).toMatchObject({ outputs: [{ file: 'out-0.pdf', unlessSmallerThan: 'in-0.pdf' }] })
    expect(commands(second({ operation: 'compress', to: 'pdf', options: { level: 'low' } })).at(-1)).not.toContain(
      'image',
    )
  })
})

describe('PostScript', () => {
  it('is run by Ghostscript, safely, and what it drew is drawn', () => {
    const plan = pdf.plan(requested({ sources: [source('eps')], to: 'png' }))
    expect(commands(plan)).toEqual([
      'gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dEPSCrop -sOutputFile=drawn-0.pdf in-0.eps',
      'sh probe.sh drawn-0.pdf pdfinfo -f 1 -l 10001 drawn-0.pdf',
    ])
    expect((plan as Plan).steps[0]).toMatchObject({ profile: 'ghostscript' })
    expect(commands(second({ sources: [source('eps')], to: 'png' }))).toEqual([
      'pdftoppm -png -cropbox -r 150 -f 1 -l 3 drawn-0.pdf out-0',
    ])
  })
})
