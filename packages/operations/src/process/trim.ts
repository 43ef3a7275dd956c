import { defineProcess } from '../define.ts'

export const trim = defineProcess({
  name: 'trim',
  summary: 'Trim files',
  description: 'Keeps the part from `start` to `end`, or the `pages`, in `options`.',
  inputs: { files: 'each' },
  output: 'same',
  needsOneOf: { options: ['start', 'end', 'pages'], msg: 'must say what to keep' },
})
