import { zip } from '../../../fixtures/zip.ts'
import { openZip } from '../outputs.ts'

interface Derived {
  readonly from: string
  /** The type that a document declares, and its replacement. */
  readonly type: string
  readonly instead: string
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
const show = 'application/vnd.openxmlformats-officedocument.presentationml'
const slides = `${show}.presentation.main+xml`

/**
 * Formats that differ from another only in the declared type: templates, slide shows, and documents that may contain
 * macros.
 */
const derived: Readonly<Record<string, Derived>> = {
  dotx: { from: 'docx', type: `${word}.document.main+xml`, instead: `${word}.template.main+xml` },
  docm: {
    from: 'docx',
    type: `${word}.document.main+xml`,
    instead: 'application/vnd.ms-word.document.macroEnabled.main+xml',
  },
  xlsm: { from: 'xlsx', type: sheet, instead: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml' },
  ppsx: { from: 'pptx', type: slides, instead: `${show}.slideshow.main+xml` },
  pptm: { from: 'pptx', type: slides, instead: 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml' },
  xltx: { from: 'xlsx', type: sheet, instead: sheet.replace('sheet.main', 'template.main') },
  vsdm: {
    from: 'vsdx',
    type: 'application/vnd.ms-visio.drawing.main+xml',
    instead: 'application/vnd.ms-visio.drawing.macroEnabled.main+xml',
  },
}

/** The format that a sample of this format is derived from, if any. */
export function sourceOfDerived(format: string): string | undefined {
  return format === 'dot' ? 'doc' : derived[format]?.from
}

/** Makes the sample from one of its source format. */
export async function derive(format: string, source: Buffer): Promise<Buffer> {
  if (format === 'dot') return toTemplate(source)
  const { type, instead } = derived[format] ?? { type: '', instead: '' }
  const parts = [...(await openZip(source))].map(([name, content]) => ({
    name,
    content: name === '[Content_Types].xml' ? String(content).replace(type, instead) : content,
  }))
  return zip(parts)
}

/** A Word 97 document is a template if one bit in the header of its main stream is set. */
function toTemplate(document: Buffer): Buffer {
  const template = Buffer.from(document)
  for (let at = 512; at + 12 <= template.length; at += 512) {
    if (template.readUInt16LE(at) === 0xa5ec) template[at + 10] = (template[at + 10] ?? 0) | 1
  }
  return template
}
