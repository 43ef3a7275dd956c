import { GiB, plainProfile, type Tool, usualProfile } from '../tool.ts'

/** qpdf, poppler and MuPDF. */
const pdf: Tool = {
  name: 'pdf',
  family: 'pdf',
  program: 'usr/bin/qpdf',
  profile: { ...usualProfile, memoryBytes: 2 * GiB },
}

/** Ghostscript, in a separate profile because it is the only program that executes its input. */
const ghostscript: Tool = {
  name: 'ghostscript',
  family: 'pdf',
  program: 'usr/bin/gs',
  profile: {
    ...plainProfile,
    parts: [...plainProfile.parts, 'etc/ghostscript', 'var/lib/ghostscript'],
    memoryBytes: 2 * GiB,
  },
}

/** OCRmyPDF with Tesseract. OCRmyPDF runs Ghostscript itself. */
const ocr: Tool = {
  name: 'ocr',
  family: 'ocr',
  program: 'usr/bin/ocrmypdf',
  profile: { ...ghostscript.profile, tmpBytes: 2 * GiB, memoryBytes: 4 * GiB, processes: 256 },
}

export const pdfTools: readonly Tool[] = [pdf, ghostscript, ocr]
