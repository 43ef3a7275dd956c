import { defineProcess } from '../define.ts'

export const decrypt = defineProcess({
  name: 'decrypt',
  summary: 'Decrypt files',
  description: 'Removes the password and all restrictions from a PDF whose password you know.',
  inputs: { files: 'each' },
  output: 'same',
})
