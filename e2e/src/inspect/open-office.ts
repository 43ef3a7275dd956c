import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { listStreams } from './ole.ts'
import { stripMarks } from './open-text.ts'
import { fileOf, runTool } from './run-tool.ts'

interface Packed {
  /** The type it declares: the text of `mimetype`, or part of `[Content_Types].xml`. */
  readonly type: string
  /** The part with the text. */
  readonly content: RegExp
  /** The pattern of a page in all of its content, if it has pages. */
  readonly page?: RegExp
}

const openDocument = 'application/vnd.oasis.opendocument'
const sheetPage = /<table:table [^>]*table:name=/g
const drawnPage = /<draw:page /g
const wordContent = /^word\/document\.xml$/
const cells = { content: /^xl\/(worksheets\/.*|sharedStrings)\.xml$/, page: /<worksheet[ >]/g }
const slides = { content: /^ppt\/slides\/slide\d+\.xml$/, page: /<p:sld[ >]/g }

/** Formats that are a ZIP of XML. */
const packed: Readonly<Record<string, Packed>> = {
  docx: { type: 'wordprocessingml.document.main', content: wordContent },
  dotx: { type: 'wordprocessingml.template.main', content: wordContent },
  docm: { type: 'ms-word.document.macroEnabled.main', content: wordContent },
  xlsx: { type: 'spreadsheetml.sheet.main', ...cells },
  xlsm: { type: 'ms-excel.sheet.macroEnabled.main', ...cells },
  pptx: { type: 'presentationml.presentation.main', ...slides },
  ppsx: { type: 'presentationml.slideshow.main', ...slides },
  pptm: { type: 'ms-powerpoint.presentation.macroEnabled.main', ...slides },
  odt: { type: `${openDocument}.text`, content: /^content\.xml$/ },
  ods: { type: `${openDocument}.spreadsheet`, content: /^content\.xml$/, page: sheetPage },
  odp: { type: `${openDocument}.presentation`, content: /^content\.xml$/, page: drawnPage },
  odg: { type: `${openDocument}.graphics`, content: /^content\.xml$/, page: drawnPage },
  ott: { type: `${openDocument}.text-template`, content: /^content\.xml$/ },
  ots: { type: `${openDocument}.spreadsheet-template`, content: /^content\.xml$/, page: sheetPage },
  otp: { type: `${openDocument}.presentation-template`, content: /^content\.xml$/, page: drawnPage },
  otg: { type: `${openDocument}.graphics-template`, content: /^content\.xml$/, page: drawnPage },
  epub: { type: 'application/epub+zip', content: /\.x?html$/ },
}

/** Formats that are one XML file: the flat variants of OpenDocument. */
const flat: Readonly<Record<string, string>> = { fodt: 'odt', fods: 'ods', fodp: 'odp', fodg: 'odg' }

/** Formats that are a compound file, with a stream that each must have. */
const compound: Readonly<Record<string, string>> = {
  doc: 'WordDocument',
  xls: 'Workbook',
  ppt: 'PowerPoint Document',
}

export function isOffice(format: string): boolean {
  return [packed, flat, compound].some((table) => table[format] !== undefined)
}

/** Parses a document: its parts must be intact, its XML well-formed, and its type as expected. */
export async function openOffice(bench: PlanBench, given: Given): Promise<Facts> {
  const { format, bytes } = given
  const stream = compound[format]
  if (stream !== undefined) {
    if (!listStreams(bytes).includes(stream)) refuse(format, `there is no ${stream} in it`)
    return { format }
  }
  const { type, page } = packed[flat[format] ?? format] ?? refuse(format, 'it is unknown here')
  const parts = await unpack(bench, given)
  const isOfType = parts.mimetype === undefined ? parts['[Content_Types].xml']?.includes(type) : parts.mimetype === type
  if (!isOfType) refuse(format, `it is no ${type}`)
  if (!page) return { format }
  return { format, pages: contentOf(format, parts).match(page)?.length ?? 0 }
}

/** The words of a document, as far as they can be found without an office program. */
export async function readOfficeText(bench: PlanBench, given: Given): Promise<string> {
  const { format, bytes } = given
  // Compound files hold text in one of two encodings, starting at an odd or even byte.
  if (compound[format]) return [bytes.toString('latin1'), utf16(bytes), utf16(bytes.subarray(1))].join('\n')
  return stripMarks(withoutNumbers(contentOf(format, await unpack(bench, given))))
}

/** The XML of a document without values that look like its text. */
export function withoutNumbers(xml: string): string {
  return xml.replaceAll(places, '').replaceAll(sharedCells, '').replaceAll(runEnds, '')
}

// The position of a text box is written like text, `<wp:posOffset>127000</wp:posOffset>`, and its content is repeated
// for older programs.
const places = /<(wp\d*:(?:posOffset|align|pct\w+))>[^<]*<\/\1>|<mc:Fallback>.*?<\/mc:Fallback>/gs

// A cell with text contains its index in the list of all texts.
const sharedCells = /<c [^>]*\bt="s"[^>]*>(?:(?!<\/c>).)*<\/c>/gs
// There is no space where the font changes within a cell.
const runEnds = /<\/t><\/r><r>(?:<rPr>(?:(?!<\/rPr>).)*<\/rPr>)?<t[^>]*>/gs

function contentOf(format: string, parts: Readonly<Record<string, string>>): string {
  const { content } = packed[flat[format] ?? format] ?? refuse(format, 'it is unknown here')
  const names = Object.keys(parts).filter((name) => content.test(name))
  return names.map((name) => parts[name]).join('\n')
}

function utf16(bytes: Buffer): string {
  return bytes.toString('utf16le', 0, bytes.length - (bytes.length % 2))
}

const script = `import json, sys, zipfile
from xml.etree import ElementTree
parts = {}
if not zipfile.is_zipfile(sys.argv[1]):
    root = ElementTree.parse(sys.argv[1]).getroot()
    parts['mimetype'] = next(value for name, value in root.items() if name.endswith('}mimetype'))
    with open(sys.argv[1]) as file: parts['content.xml'] = file.read()
else:
  with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for name in archive.namelist():
      if name.endswith(('.xml', '.rels', '.xhtml')):
        data = archive.read(name)
        if data: ElementTree.fromstring(data)
        parts[name] = data.decode()
      elif name == 'mimetype':
        parts[name] = archive.read(name).decode()
with open('out.json', 'w') as out: json.dump(parts, out)`

/** All XML of a packed document, each part parsed once by an XML reader. */
async function unpack(bench: PlanBench, given: Given): Promise<Readonly<Record<string, string>>> {
  const io = { given, outputs: ['out.json'] }
  const { outputs } = await runTool(bench, 'python3', ['-c', script, fileOf(given)], io)
  return JSON.parse(String(outputs['out.json'] ?? '{}'))
}
