import { Type } from 'typebox'
import { defineImport } from '../define.ts'
import { filename } from '../fields.ts'

export const importUpload = defineImport({
  name: 'import/upload',
  summary: 'Import a file by upload',
  description: 'Answers a form; post the file to it.',
  fields: { filename: Type.Optional(filename) },
  waitsForUpload: true,
})
