import { defineProcess } from '../define.ts'

export const compress = defineProcess({
  name: 'compress',
  summary: 'Compress files',
  description: 'Makes every file of its inputs smaller and keeps the format.',
  inputs: { files: 'each' },
  output: 'same',
})
