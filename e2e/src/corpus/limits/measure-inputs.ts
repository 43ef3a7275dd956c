import type { PlanBench } from '@lathe/testing'
import { officeFormats } from '../../../../packages/engines/src/documents/formats.ts'
import { documentLimits } from '../../../../packages/engines/src/documents/limits.ts'
import { bookLimits } from '../../../../packages/engines/src/markup/limits.ts'
import { packageLimits } from '../../../../packages/engines/src/package/limits.ts'
import { packages } from '../../../../packages/engines/src/package/package.ts'
import { decoders } from '../../../../packages/engines/src/pictures/decoders.ts'
import type { RealFile } from '../collect-files.ts'
import type { LargestOfEach } from './largest.ts'
import { type Look, lookAtFiles, type ZipLook } from './look-at-files.ts'
import { measureDrawing } from './measure-drawing.ts'

const zipped = new Set(officeFormats.flatMap(({ ext, isZip }) => (isZip ? [ext] : [])))
const compressed = new Set(packages.abilities.map(({ from }) => from))
const byMagick = new Set(
  Object.entries(decoders).flatMap(([format, [first]]) => (first.tool === 'magick' ? [format] : [])),
)

/** Measures files by their headers. */
export async function measureInputs(bench: PlanBench, files: readonly RealFile[], most: LargestOfEach): Promise<void> {
  await lookAtFiles(bench, files, (look) => measureInput(look, most))
}

/** Counts everything in one file that is limited. */
export function measureInput(look: Look, most: LargestOfEach): void {
  const { name, format, content, zip, image, media, pdf, mail } = look
  most.count('fileBytes', content.length, name)
  if (zip && zipped.has(format)) measureArchive(zip, name, most)
  if (zip && compressed.has(format)) measurePackage(zip, look, most)
  if (zip && format === 'epub') measureBook(zip, name, most)
  if (format === 'fb2') most.count('bookBytes', zip?.bytes ?? content.length, name)
  if (format === 'md') most.count('markdownBytes', content.length, name)
  if (format === 'svg') measureDrawing(look, most)
  if (format === 'mhtml') most.count('storedPageParts', countParts(content), name)
  if (image) measureImage(image, look, most)
  if (media) {
    most.count('mediaSide', media.side, name)
    most.count('mediaRate', media.rate, name)
    most.count('mediaStreams', media.streams, name)
    most.count('mediaChapters', media.chapters, name)
    most.count('mediaSeconds', media.seconds, name)
  }
  most.count('pdfPages', pdf?.pages, name)
  most.count('pdfPoints', pdf?.points, name)
  if (mail) {
    most.count('mailBytes', content.length, name)
    most.count('mailMessages', mail.messages, name)
    most.count('mailAttachments', mail.attachments, name)
    // Images of a message are already in base64, those of Outlook are not.
    most.count('mailPageBytes', format === 'msg' ? Math.ceil((content.length * 4) / 3) : content.length, name)
  }
}

function measureArchive(zip: ZipLook, name: string, most: LargestOfEach): void {
  most.count('archiveEntries', zip.entries, name)
  most.count('archiveBytes', zip.bytes, name)
  most.count('archiveDepth', zip.depth, name)
  if (zip.bytes > documentLimits.zip.ratioAfterBytes) most.count('archiveRatio', ratioOf(zip), name)
}

function measurePackage(zip: ZipLook, { name }: Look, most: LargestOfEach): void {
  most.count('packageEntries', zip.own, name)
  most.count('packageBytes', zip.bytes, name)
  most.count('packageImageBytes', zip.image, name)
  most.count('packageImagePixels', zip.pixels, name)
  if (zip.bytes > packageLimits.zip.ratioAfterBytes) most.count('packageRatio', ratioOf(zip), name)
}

function measureBook(zip: ZipLook, name: string, most: LargestOfEach): void {
  most.count('bookEntries', zip.own, name)
  most.count('bookBytes', zip.bytes, name)
  most.count('bookPageBytes', zip.page, name)
  if (zip.bytes > bookLimits.freeBytes) most.count('bookRatio', ratioOf(zip), name)
}

function ratioOf({ bytes, packed }: ZipLook): number {
  return bytes / Math.max(packed, 1)
}

function measureImage(
  { width, height, frames }: NonNullable<Look['image']>,
  { name, format }: Look,
  most: LargestOfEach,
): void {
  const side = Math.max(width, height)
  most.count('imagePixels', width * height, name)
  most.count('imageFrames', frames, name)
  if (frames > 1) most.count('imageFramesPixels', frames * width * height, name)
  if (byMagick.has(format)) most.count('imageSide', side, name)
  if (format === 'ico' || format === 'cur') most.count('iconSide', side, name)
  if (format === 'fits') most.count('fitsSide', side, name)
}

/** The number of parts of an MHTML page: each begins with its headers after a boundary. */
function countParts(content: Buffer): number {
  return content.toString('latin1').match(/^--[^\r\n]+\r?\n(?=Content-)/gim)?.length ?? 0
}
