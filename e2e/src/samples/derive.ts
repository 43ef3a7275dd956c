import { zip } from '../../../fixtures/zip.ts'
import { openZip } from '../outputs.ts'

interface Derived {
  readonly from: string
  /** The type a document states of itself, and the one it states instead. */
  readonly type: string
  readonly instead: string
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
const show = 'application/vnd.openxmlformats-officedocument.presentationml'
const slides = `${show}.presentation.main+xml`

/** Formats that differ from another only in the type they state: templates, slide shows, and documents that may hold macros. */
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
}

/** What a sample of this format is derived from, if it is. */
export function sourceOfDerived(format: string): string | undefined {
  return derived[format]?.from
}

/** Makes the sample from one of its source. */
export async function derive(format: string, source: Buffer): Promise<Buffer> {
  const { type, instead } = derived[format] ?? { type: '', instead: '' }
  const parts = [...(await openZip(source))].map(([name, content]) => ({
    name,
    content: name === '[Content_Types].xml' ? String(content).replace(type, instead) : content,
  }))
  return zip(parts)
}
