import { defineProcess } from '../define.ts'

export const split = defineProcess({
  name: 'split',
  summary: 'Split files',
  description:
    'Makes several files of one: a PDF by number of pages, page ranges, bookmarks or size, a TIFF by pages, audio and video by time or silence.',
  inputs: { files: 'each' },
  output: 'same',
})
