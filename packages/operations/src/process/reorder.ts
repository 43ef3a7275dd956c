import { defineProcess } from '../define.ts'

export const reorder = defineProcess({
  name: 'reorder',
  summary: 'Reorder pages',
  description: 'Puts the pages of a PDF in the order given in `options.order`.',
  inputs: { files: 'each' },
  output: 'same',
  needsOneOf: { options: ['order'], msg: 'must say the new order of the pages' },
})
