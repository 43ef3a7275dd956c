import { defineProcess } from '../define.ts'

export const extract = defineProcess({
  name: 'extract',
  summary: 'Extract archives',
  description:
    'Gives the files inside an archive, a disc image or a compressed file, with their names, folders and formats. Archives inside an archive stay as they are.',
  inputs: { files: 'each' },
  output: 'contents',
})
