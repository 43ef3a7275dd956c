import { readFile } from 'node:fs/promises'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { oldDocuments } from '../../../../fixtures/office/old-documents.ts'
import { sources } from '../../../../fixtures/office/sources.ts'
import { letterPages } from '../../../../fixtures/office/words.ts'
import { findReader, findWriter } from '../documents/formats.ts'

type Convert = (format: string, content: Buffer, to: string) => Promise<Buffer>

const fixtures: Readonly<Record<string, FixtureName>> = {
  docx: 'letter.docx',
  odt: 'letter.odt',
  xlsx: 'table.xlsx',
  ods: 'table.ods',
  odp: 'slides.odp',
  odg: 'drawing.odg',
  vsdx: 'label.vsdx',
}
const written: Readonly<Record<string, string>> = {
  csv: 'Apples,12\nPears,7\n',
  html: `<p>${letterPages[0]}</p>`,
  txt: letterPages[0],
  ...sources,
}
/** The same parts under another name: only the list of parts differs, and no reader checks it. */
const sameParts: Readonly<Record<string, string>> = {
  docm: 'docx',
  dotx: 'docx',
  xlsm: 'xlsx',
  pptm: 'pptx',
  ppsx: 'pptx',
  dot: 'doc',
  xltx: 'xlsx',
  vsdm: 'vsdx',
}
const origins = { writer: 'odt', calc: 'ods', impress: 'odp', draw: 'odg' } as const

/** Whether a document of a format can be made here: some formats are only written by their original program. */
export function hasSample(format: string): boolean {
  const program = findReader(format)?.program ?? 'writer'
  return [fixtures, written, oldDocuments, sameParts].some((table) => format in table) || !!findWriter(program, format)
}

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
  const old = oldDocuments[format]
  if (old) return old()
  const same = sameParts[format]
  if (same) return contentOf(same, origin, convert)
  return convert(origin, await contentOf(origin, origin, convert), format)
}
