import { defineProcess } from '../define.ts'

export const compress = defineProcess({
  name: 'compress',
  summary: 'Compress files',
  description: 'Makes every input file smaller and keeps its format.',
  inputs: { files: 'each' },
  output: 'same',
})
