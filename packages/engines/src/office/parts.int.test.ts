import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure } from '@lathe/domain'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docx } from '../../../../fixtures/attacks/office-packages.ts'
import { writeScript } from '../../../../fixtures/office/scripts.ts'

const scripts = join(import.meta.dirname, '../../../../scripts')
let bench: PlanBench

beforeAll(async () => {
  bench = await openPlanBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

async function list(folder: string): Promise<readonly string[]> {
  return (await bench.tool('ls', ['-1', folder])).stdout.split('\n').filter((line) => line !== '')
}

describe('the parts of LibreOffice', () => {
  // By registry file of each program. Writer also has a view for web pages.
  const modules: Readonly<Record<string, readonly string[]>> = {
    'calc.xcd': ['scalc', 'schart'],
    'draw.xcd': ['sdraw'],
    'impress.xcd': ['simpress'],
    'math.xcd': ['smath'],
    'writer.xcd': ['swriter', 'sweb', 'sglobal'],
  }

  it('hold the modules of every program that is installed', async () => {
    const share = '/usr/lib/libreoffice/share'
    const programs = (await list(`${share}/registry`)).filter((name) => name in modules)
    expect(programs.length).toBeGreaterThan(0)
    const found = await list(`${share}/config/soffice.cfg/modules`)
    expect(found).toEqual(expect.arrayContaining(programs.flatMap((name) => modules[name] ?? [])))
  })

  it('that a root must have are in this one', async () => {
    const lines = readFileSync(join(scripts, 'engine-root/required.txt'), 'utf8').split('\n')
    // Not every program can see files outside of /usr.
    const required = lines.filter((line) => line.startsWith('usr/')).map((line) => `/${line}`)
    const { end } = await bench.tool('ls', ['-d', ...required])
    expect(end).toMatchObject({ kind: 'exited', code: 0 })
  })
})

describe('a font that is not installed', () => {
  it.each([
    ['latin', 'Carlito'],
    ['hebrew', 'NotoSerifHebrew'],
    ['arabic', 'NotoNaskhArabic'],
    ['japanese', 'NotoSansCJKjp'],
    ['korean', 'NotoSansCJKkr'],
  ] as const)('has a stand-in with the shapes of its script: %s', async (script, font) => {
    expect(await fontsOf(writeScript(script))).toContain(font)
  })

  it.each([
    ['Aptos', 'Carlito'],
    ['Consolas', 'LiberationMono'],
    ['Menlo', 'LiberationMono'],
  ])('has a stand-in of its kind: %s, %s', async (font, standIn) => {
    const look = `<w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr>`
    expect(await fontsOf(docx(`<w:p><w:r>${look}<w:t>let x = 1</w:t></w:r></w:p>`))).toContain(standIn)
  })

  async function fontsOf(content: Buffer): Promise<string> {
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'docx', content }], to: 'pdf' })
    if (isFailure(end)) throw new Error(`${end.code} ${end.detail}`)
    return (await bench.tool('pdffonts', ['a.pdf'], { files: { 'a.pdf': end.files[0]?.bytes ?? '' } })).stdout
  }
})

describe('a document that ends with a table', () => {
  const cell = (words: string) => `<w:tc><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:tc>`
  const grid =
    '<w:tblPr><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="2640"/><w:gridCol w:w="2640"/></w:tblGrid>'
  const content = docx(`<w:tbl>${grid}<w:tr>${cell('first')}${cell('last')}</w:tr></w:tbl>`)

  it('becomes text that ends', async () => {
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'docx', content }], to: 'txt' })
    if (isFailure(end)) throw new Error(`${end.code} ${end.detail}`)
    expect(end.files[0]?.bytes.toString().replace('\uFEFF', '').trim()).toBe('first\tlast')
  }, 60_000)
})

describe('a document with comments', () => {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const run = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`
  const content = docx(
    `<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>Words that were commented on</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>`,
    {
      relations: [['rId9', 'comments', 'comments.xml']],
      types: {
        'word/comments.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml',
      },
      more: [
        {
          name: 'word/comments.xml',
          content: `<?xml version="1.0"?><w:comments xmlns:w="${word}"><w:comment w:id="0" w:author="A" w:date="2024-01-01T00:00:00Z">${run('A remark')}</w:comment></w:comments>`,
        },
      ],
    },
  )

  it.each(['pdf', 'odt', 'txt'])('becomes %s', async (to) => {
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'docx', content }], to })
    if (isFailure(end)) throw new Error(`${end.code} ${end.detail}`)
    expect(end.files).toHaveLength(1)
  })
})
