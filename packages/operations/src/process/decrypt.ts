import { defineProcess } from '../define.ts'

export const decrypt = defineProcess({
  name: 'decrypt',
  summary: 'Decrypt files',
  description: 'Takes the password and all restrictions off a PDF. The password of the file must be given.',
  inputs: { files: 'each' },
  output: 'same',
})
