import { defineProcess } from '../define.ts'

export const archive = defineProcess({
  name: 'archive',
  summary: 'Make archives',
  description:
    'Packs all files of its inputs into one archive, whatever they are. Files that came out of an archive keep their folders.',
  inputs: { files: 'together', formats: 'any' },
  output: { usual: 'zip' },
})
