import { defineProcess } from '../define.ts'

export const thumbnail = defineProcess({
  name: 'thumbnail',
  summary: 'Make thumbnails',
  description:
    'Makes a small image of a file: of an image, a page of a document, the cover of a book, a representative frame of a video, or the waveform of a recording.',
  inputs: { files: 'each' },
  output: { usual: 'jpg' },
})
