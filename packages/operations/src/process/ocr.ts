import { defineProcess } from '../define.ts'

export const ocr = defineProcess({
  name: 'ocr',
  summary: 'Recognize text',
  description:
    'Recognizes the text of scans and photos, and writes a searchable PDF, plain text, or hOCR: words with their positions.',
  inputs: { files: 'each' },
  output: { usual: 'pdf' },
})
