import { degrees, PDFDocument, rgb, StandardFonts } from 'pdf-lib'

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
