import { degrees, PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import sharp from 'sharp'

/** Sizes of the pages of a sample, in points. */
export const samplePages: readonly (readonly [number, number])[] = [
  [300, 400],
  [400, 300],
  [300, 400],
]

/**
 * A PDF for tests: on every page a red square of 100 points in the top left corner, a blue one in the bottom right,
 * and the words `Page <n> of the sample`.
 */
export async function samplePdf({ count = 3, turn = 0 } = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let n = 0; n < count; n++) {
    const [width, height] = samplePages[n % samplePages.length] ?? [300, 400]
    const page = document.addPage([width, height])
    page.drawRectangle({ x: 0, y: height - 100, width: 100, height: 100, color: rgb(1, 0, 0) })
    page.drawRectangle({ x: width - 100, y: 0, width: 100, height: 100, color: rgb(0, 0, 1) })
    page.drawText(`Page ${n + 1} of the sample`, { x: 50, y: height / 2, size: 18, font })
    page.setRotation(degrees(turn))
  }
  return document.save()
}

/** A PDF whose only page is an image of 300 dpi. */
export async function picturePdf(): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><defs><linearGradient id="g">
    <stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><filter id="f">
    <feTurbulence baseFrequency="0.02" numOctaves="3"/><feBlend in2="SourceGraphic" mode="multiply"/></filter></defs>
    <rect width="1200" height="900" fill="url(#g)" filter="url(#f)"/></svg>`
  const picture = await sharp(Buffer.from(svg)).flatten({ background: 'white' }).jpeg({ quality: 95 }).toBuffer()
  return pageOf(picture, [288, 216])
}

/** A PDF whose only page is an image of the words `LATHE READS THIS`. */
export async function scannedPdf(): Promise<Uint8Array> {
  const words = '<text x="40" y="120" font-size="72" font-family="sans-serif">LATHE READS THIS</text>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="200"><rect width="900" height="200" fill="white"/>${words}</svg>`
  return pageOf(await sharp(Buffer.from(svg)).jpeg({ quality: 95 }).toBuffer(), [288, 64])
}

async function pageOf(jpeg: Uint8Array, [width, height]: [number, number]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const picture = await document.embedJpg(jpeg)
  document.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height })
  return document.save()
}
