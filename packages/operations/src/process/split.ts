import { defineProcess } from '../define.ts'

export const split = defineProcess({
  name: 'split',
  summary: 'Split files',
  description: 'Makes several PDF files of one: by number of pages, page ranges, bookmarks or size.',
  inputs: { files: 'each' },
  output: 'same',
})
