import { defineProcess } from '../define.ts'

export const ocr = defineProcess({
  name: 'ocr',
  summary: 'Recognize text',
  description: 'Recognizes the text of scans and photos, and writes a searchable PDF or plain text.',
  inputs: { files: 'each' },
  output: { usual: 'pdf' },
})
