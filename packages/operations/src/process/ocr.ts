import { defineProcess } from '../define.ts'

export const ocr = defineProcess({
  name: 'ocr',
  summary: 'Recognize text',
  description: 'Reads the text of scans and photos: as a searchable PDF, or as plain text.',
  inputs: { files: 'each' },
  output: { usual: 'pdf' },
})
