import { defineImport } from '../define.ts'
import { mediaField, pageFields } from './page-fields.ts'

export const importWebpage = defineImport({
  name: 'import/webpage',
  summary: 'Import a web page',
  description: 'Renders a page and stores it as one file.',
  fields: { ...pageFields, media: mediaField('screen') },
})
