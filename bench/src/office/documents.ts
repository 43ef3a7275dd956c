import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zip } from '../../../fixtures/zip.ts'

/** A document to convert and its number of pages. */
export interface SampleDocument {
  readonly path: string
  readonly name: string
  readonly pages: number
}

/** Common document sizes: a letter, a report, a manual. */
export const sizes = [1, 10, 100] as const

const formats = 'http://schemas.openxmlformats.org'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const words =
  'time year people way day man thing woman life child world school state family student group country problem'

/** Writes `ofEach` documents of each size into a folder, all different, with alternating sizes. */
export async function writeDocuments(folder: string, ofEach: number): Promise<readonly SampleDocument[]> {
  const documents = Array.from({ length: ofEach }, (_, n) => sizes.map((pages) => ({ pages, n }))).flat()
  return Promise.all(
    documents.map(async ({ pages, n }) => {
      const name = `document-${pages}-${n}`
      const path = join(folder, `${name}.docx`)
      await writeFile(path, letterOf(pages, n))
      return { path, name, pages }
    }),
  )
}

function letterOf(pages: number, seed: number): Buffer {
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>',
  ]
  const relation = `<Relationship Id="rId1" Type="${formats}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>`
  const body = Array.from({ length: pages }, (_, page) => pageOf(page, seed)).join('')
  const paper =
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134"/></w:sectPr>'
  return zip([
    {
      name: '[Content_Types].xml',
      content: `${head}<Types xmlns="${formats}/package/2006/content-types">${types.join('')}</Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${head}<Relationships xmlns="${formats}/package/2006/relationships">${relation}</Relationships>`,
    },
    {
      name: 'word/document.xml',
      content: `${head}<w:document xmlns:w="${formats}/wordprocessingml/2006/main"><w:body>${body}${paper}</w:body></w:document>`,
    },
  ])
}

/** A heading, six paragraphs and a table of five rows: a page that is about two thirds full. */
function pageOf(page: number, seed: number): string {
  const start = page > 0 ? '<w:r><w:br w:type="page"/></w:r>' : ''
  const heading = `<w:p>${start}<w:r><w:rPr><w:b/><w:sz w:val="32"/></w:rPr><w:t>Part ${page + 1} of document ${seed}</w:t></w:r></w:p>`
  const paragraphs = Array.from({ length: 6 }, (_, n) => `<w:p>${run(sentence(page * 7 + n + seed, 45))}</w:p>`)
  return `${heading}${paragraphs.join('')}${tableOf(page + seed)}`
}

function tableOf(seed: number): string {
  const cell = (text: string) => `<w:tc><w:p>${run(text)}</w:p></w:tc>`
  const rows = Array.from({ length: 5 }, (_, n) => [
    sentence(seed + n, 2),
    String(seed * n),
    (seed / (n + 1)).toFixed(2),
  ])
  return `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`).join('')}</w:tbl><w:p/>`
}

const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`

function sentence(seed: number, length: number): string {
  const all = words.split(' ')
  return Array.from({ length }, (_, n) => all[(seed * 31 + n * n + n) % all.length]).join(' ')
}
