import { readFile } from 'node:fs/promises'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { label, letterPages } from '../../../../fixtures/office/words.ts'
import { zip } from '../../../../fixtures/zip.ts'
import { findReader } from '../office/formats.ts'

type Convert = (format: string, content: Buffer, to: string) => Promise<Buffer>

const fixtures: Readonly<Record<string, FixtureName>> = {
  docx: 'letter.docx',
  odt: 'letter.odt',
  xlsx: 'table.xlsx',
  ods: 'table.ods',
  odp: 'slides.odp',
  odg: 'drawing.odg',
}
const written: Readonly<Record<string, string>> = {
  csv: 'Apples,12\nPears,7\n',
  html: `<p>${letterPages[0]}</p>`,
  txt: letterPages[0],
}
/** The same parts under another name: only their list tells these apart, and no reader looks there. */
const sameParts: Readonly<Record<string, string>> = {
  docm: 'docx',
  dotx: 'docx',
  xlsm: 'xlsx',
  pptm: 'pptx',
  ppsx: 'pptx',
}
const origins = { writer: 'odt', calc: 'ods', impress: 'odp', draw: 'odg' } as const

/** A document of a format this engine reads, with the words of the fixtures, and the program that reads it. */
export async function sampleOf(format: string, convert: Convert) {
  const program = findReader(format)?.program ?? 'writer'
  return { program, content: await contentOf(format, origins[program], convert) }
}

async function contentOf(format: string, origin: string, convert: Convert): Promise<Buffer> {
  const name = fixtures[format]
  if (name) return readFile(fixturePath(name))
  const text = written[format]
  if (text) return Buffer.from(text)
  if (format === 'vsdx') return visioDrawing()
  const same = sameParts[format]
  if (same) return contentOf(same, origin, convert)
  return convert(origin, await contentOf(origin, origin, convert), format)
}

const visio = 'http://schemas.microsoft.com/visio/2010/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const main =
  'xmlns="http://schemas.microsoft.com/office/visio/2012/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

const relation = (type: string, target: string) =>
  `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`

/** One page of 4 x 4 inches with one shape that bears the words of the fixtures' drawing. */
function visioDrawing(): Buffer {
  const type = (part: string, kind: string) =>
    `<Override PartName="/visio/${part}" ContentType="application/vnd.ms-visio.${kind}+xml"/>`
  const defaults = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`
  const types = [
    type('document.xml', 'drawing.main'),
    type('pages/pages.xml', 'pages'),
    type('pages/page1.xml', 'page'),
  ]
  const cell = (name: string, value: number) => `<Cell N="${name}" V="${value}"/>`
  const place = [
    cell('PinX', 2),
    cell('PinY', 2),
    cell('Width', 3),
    cell('Height', 1),
    cell('LocPinX', 1.5),
    cell('LocPinY', 0.5),
  ]
  const sheet = `<PageSheet>${cell('PageWidth', 4)}${cell('PageHeight', 4)}</PageSheet>`
  const shape = `<Shape ID="1" Type="Shape">${place.join('')}<Text>${label}</Text></Shape>`
  return zip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${packages}/content-types">${defaults}${types.join('')}</Types>`,
    },
    { name: '_rels/.rels', content: relation(`${visio}/document`, 'visio/document.xml') },
    { name: 'visio/document.xml', content: `<VisioDocument ${main}/>` },
    { name: 'visio/_rels/document.xml.rels', content: relation(`${visio}/pages`, 'pages/pages.xml') },
    {
      name: 'visio/pages/pages.xml',
      content: `<Pages ${main}><Page ID="0" Name="One">${sheet}<Rel r:id="rId1"/></Page></Pages>`,
    },
    { name: 'visio/pages/_rels/pages.xml.rels', content: relation(`${visio}/page`, 'page1.xml') },
    { name: 'visio/pages/page1.xml', content: `<PageContents ${main}><Shapes>${shape}</Shapes></PageContents>` },
  ])
}
