import { detectFormat, findFormat } from '@lathe/formats'
import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { isData, openData } from './open-data.ts'
import { isMap, openMap } from './open-map.ts'
import { isMarkup, openMarkup } from './open-markup.ts'
import { openMedia } from './open-media.ts'
import { isMetafile, openMetafile } from './open-metafile.ts'
import { isOffice, openOffice } from './open-office.ts'
import { findOpener } from './open-other.ts'
import { openPdf } from './open-pdf.ts'
import { isPicture, openPicture } from './open-picture.ts'
import { isText, openText } from './open-text.ts'

/** Formats that are a kind of another: Ogg with Opus is reported as opus; hOCR is a web page. */
const kin: Readonly<Record<string, readonly string[]>> = { opus: ['ogg'], html: ['hocr'] }

/** Opens a file with a program other than the one that wrote it, and throws unless it is entirely valid. */
export async function inspect(bench: PlanBench, given: Given): Promise<Facts> {
  const { format, bytes } = given
  if (bytes.length === 0) refuse(format, 'it is empty')
  const detected = detectFormat(bytes)
  const fitting = [detected?.ext, ...(detected?.variants ?? []), ...(detected ? (kin[detected.ext] ?? []) : [])]
  const isOther = detected?.conclusive && !fitting.includes(format)
  if (isOther) refuse(format, `the service takes it for ${detected.ext}`)
  if (format === 'pdf') return openPdf(bench, given)
  if (isPicture(format)) return openPicture(bench, given)
  if (isOffice(format)) return openOffice(bench, given)
  if (isMetafile(format)) return openMetafile(given)
  if (isText(format)) return openText(given)
  if (isMarkup(format)) return openMarkup(bench, given)
  if (isData(format)) return openData(bench, given)
  if (isMap(format)) return openMap(bench, given)
  const opener = findOpener(format)
  if (opener) return opener(bench, given)
  const family = findFormat(format)?.family
  if (family === 'audio' || family === 'video') return openMedia(bench, given)
  return refuse(format, 'no program is known here that opens it: add one to e2e/src/inspect')
}
