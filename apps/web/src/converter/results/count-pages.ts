import { inflate } from './inflate.ts'

/**
 * The number of pages that a document says it has; undefined if it does not say. The service refuses pages that do not
 * exist, and browsers report each refusal as an error, so the dialog must know the last page.
 */
export async function countPages(file: Blob): Promise<number | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = new TextDecoder('latin1').decode(bytes)
  if (text.startsWith('PK')) return countInPackage(bytes, text)
  return text.slice(0, 1024).includes('%PDF-') ? countInPdf(bytes, text) : undefined
}

/** A PDF has a tree of pages; its root counts them all. Newer files have the tree in compressed streams of objects. */
async function countInPdf(bytes: Uint8Array<ArrayBuffer>, text: string): Promise<number | undefined> {
  const counts: number[] = []
  let headAt: number | undefined
  let streamEnd = 0
  // One mark at a time: an expression for whole objects would take forever on a file made for that.
  for (const { 0: mark, index } of text.matchAll(/\bobj\b|endobj|\bstream\r?\n/g)) {
    if (index < streamEnd) continue
    if (mark === 'obj') {
      headAt ??= index + mark.length
      continue
    }
    const head = headAt === undefined ? '' : text.slice(headAt, index)
    headAt = undefined
    if (mark === 'endobj') counts.push(...countsIn([head]))
    else if (/\/Type\s*\/ObjStm\b/.test(head)) {
      const start = index + mark.length
      streamEnd = text.indexOf('endstream', start)
      if (streamEnd < 0) break
      const objects = await inflate(bytes.slice(start, streamEnd), 'deflate')
      counts.push(...countsIn(splitObjects(objects, head)))
    }
  }
  return counts.length > 0 ? Math.max(...counts) : undefined
}

/** The objects of a stream: it starts with the number and position of each. */
function splitObjects(objects: string, head: string): readonly string[] {
  const first = Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? 0)
  const numbers = objects.slice(0, first).match(/\d+/g)?.map(Number) ?? []
  const starts = numbers.filter((_, n) => n % 2 === 1).map((at) => first + at)
  return starts.map((start, n) => objects.slice(start, starts[n + 1]))
}

function countsIn(objects: readonly string[]): readonly number[] {
  return objects
    .filter((object) => /\/Type\s*\/Pages\b/.test(object))
    .flatMap((object) => /\/Count\s+(\d+)/.exec(object)?.[1] ?? [])
    .map(Number)
}

const facts: Readonly<Record<string, RegExp>> = {
  'docProps/app.xml': /<Pages>(\d+)</,
  'meta.xml': /\bmeta:page-count="(\d+)"/,
}

/**
 * Office documents are ZIP files. Every slide is an entry; of a text, one entry tells how many pages the program counted
 * that saved it, if it did.
 */
async function countInPackage(bytes: Uint8Array<ArrayBuffer>, text: string): Promise<number | undefined> {
  const view = new DataView(bytes.buffer)
  const end = text.lastIndexOf('PK\u0005\u0006')
  if (end < 0 || end + 22 > bytes.length) return undefined
  let at = view.getUint32(end + 16, true)
  let slides = 0
  let pages: number | undefined
  while (text.startsWith('PK\u0001\u0002', at) && at + 46 <= bytes.length) {
    const nameLength = view.getUint16(at + 28, true)
    const name = text.slice(at + 46, at + 46 + nameLength)
    const fact = facts[name]
    if (/^ppt\/slides\/slide\d+\.xml$/.test(name)) slides += 1
    if (fact) pages = Number(fact.exec(await readEntry(bytes, view, at))?.[1] ?? 0)
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return slides || pages || undefined
}

async function readEntry(bytes: Uint8Array<ArrayBuffer>, view: DataView, at: number): Promise<string> {
  const local = view.getUint32(at + 42, true)
  if (local + 30 > bytes.length) return ''
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const content = bytes.slice(start, start + view.getUint32(at + 20, true))
  const isStored = view.getUint16(at + 10, true) === 0
  return isStored ? new TextDecoder('latin1').decode(content) : inflate(content, 'deflate-raw')
}
