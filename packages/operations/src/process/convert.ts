import { defineProcess } from '../define.ts'

export const convert = defineProcess({
  name: 'convert',
  summary: 'Convert files',
  description: 'Converts every input file to another format.',
  inputs: { files: 'each' },
  output: 'chosen',
  mayTakeSteps: true,
})
