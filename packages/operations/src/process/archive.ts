import { defineProcess } from '../define.ts'

export const archive = defineProcess({
  name: 'archive',
  summary: 'Make archives',
  description:
    'Packs all input files of any format into one archive. Files that were extracted from an archive keep their folders.',
  inputs: { files: 'together', formats: 'any' },
  output: { usual: 'zip' },
})
