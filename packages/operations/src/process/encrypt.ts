import { defineProcess } from '../define.ts'

export const encrypt = defineProcess({
  name: 'encrypt',
  summary: 'Encrypt files',
  description: 'Protects a PDF with a password, and restricts what readers may do.',
  inputs: { files: 'each' },
  output: 'same',
  needsOneOf: { options: ['output_password', 'owner_password'], msg: 'must have a password' },
})
