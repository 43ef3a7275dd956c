import { defineProcess } from '../define.ts'

export const crop = defineProcess({
  name: 'crop',
  summary: 'Crop files',
  description: 'Crops to `x`, `y`, `width` and `height` in `options`.',
  inputs: { files: 'each' },
  output: 'same',
  needsOneOf: { options: ['x', 'y', 'width', 'height'], msg: 'must say what to keep' },
})
