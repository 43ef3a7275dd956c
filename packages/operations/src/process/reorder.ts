import { defineProcess } from '../define.ts'

export const reorder = defineProcess({
  name: 'reorder',
  summary: 'Reorder pages',
  description: 'Reorders the pages of a PDF.',
  inputs: { files: 'each' },
  output: 'same',
  needsOneOf: { options: ['order'], msg: 'must say the new order of the pages' },
})
