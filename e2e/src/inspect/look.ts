import { findFormat } from '@lathe/formats'
import type { PlanBench } from '@lathe/testing'
import type { Given } from './facts.ts'
import { fingerprintOf } from './fingerprint.ts'
import { drawFrame } from './open-media.ts'
import { isOffice, readOfficeText } from './open-office.ts'
import { drawPdf, readPdfText } from './open-pdf.ts'
import { isPicture, toPng } from './open-picture.ts'
import { stripMarks } from './open-text.ts'

/** The fingerprint of the first visible content: the image, the first page or the first frame. */
export async function look(bench: PlanBench, given: Given): Promise<string | undefined> {
  const { format } = given
  if (format === 'pdf') return fingerprintOf(await drawPdf(bench, given))
  if (isPicture(format)) return fingerprintOf(await toPng(bench, given))
  if (findFormat(format)?.family === 'video') return fingerprintOf(await drawFrame(bench, given))
  return undefined
}

/** The words in a file, with single spaces. */
export async function read(bench: PlanBench, given: Given): Promise<string> {
  const text = await readRaw(bench, given)
  // Programs differ in direction marks and ligatures.
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
}

async function readRaw(bench: PlanBench, given: Given): Promise<string> {
  const { format, bytes } = given
  if (format === 'pdf') return readPdfText(bench, given)
  if (isOffice(format)) return readOfficeText(bench, given)
  return ['html', 'hocr', 'svg'].includes(format) ? stripMarks(String(bytes)) : String(bytes)
}
