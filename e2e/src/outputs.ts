import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'

/** The properties of an opened output. */
export interface Opened {
  readonly format: string
  readonly width: number
  readonly height: number
  readonly pages: number
}

/** Opens an image or PDF with a program that the service does not use. Sizes of a PDF are points of its first page. */
export async function openOutput(bytes: Buffer): Promise<Opened> {
  if (bytes.subarray(0, 5).toString() === '%PDF-') {
    const pdf = await PDFDocument.load(bytes)
    return { format: 'pdf', ...pdf.getPage(0).getSize(), pages: pdf.getPageCount() }
  }
  const {
    format,
    compression,
    width,
    height,
    pageHeight,
    pages = 1,
  } = await sharp(bytes, { animated: true }).metadata()
  // Decodes every pixel: an image with a valid header and a broken body is invalid.
  await sharp(bytes, { animated: true }).stats()
  const ext = { jpeg: 'jpg', heif: compression === 'av1' ? 'avif' : 'heif' }[format as string] ?? format
  return { format: ext, width, height: pageHeight ?? height, pages }
}

const script = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    print(json.dumps({'bad': bad, 'files': [[i.filename, i.file_size, archive.read(i).hex()] for i in archive.infolist()]}))`

/** Opens a ZIP with a reader that is not ours, including checksums. */
export async function openZip(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'lathe-zip-'))
  try {
    await writeFile(join(folder, 'a.zip'), bytes)
    const options = { maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)('python3', ['-c', script, join(folder, 'a.zip')], options)
    const { bad, files } = JSON.parse(stdout) as { bad: string | null; files: [string, number, string][] }
    if (bad !== null) throw new Error(`${bad} is damaged`)
    return new Map(files.map(([name, , hex]) => [name, Buffer.from(hex, 'hex')]))
  } finally {
    await rm(folder, { recursive: true })
  }
}
