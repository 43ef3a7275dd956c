import { defineProcess } from '../define.ts'

export const merge = defineProcess({
  name: 'merge',
  summary: 'Merge files',
  description: 'Makes one file of two or more images and pdf files, in the order of `input`.',
  inputs: { files: 'together', least: 2 },
  output: 'chosen',
})
