import type { Golden } from '../golden.ts'
import { documentGoldens } from './documents.ts'
import { mediaGoldens } from './media.ts'
import { pdfGoldens } from './pdf.ts'
import { pictureGoldens } from './pictures.ts'

/** Every golden, by kind of input. */
export const goldens: Readonly<Record<string, readonly Golden[]>> = {
  pictures: pictureGoldens,
  media: mediaGoldens,
  documents: documentGoldens,
  pdf: pdfGoldens,
}
