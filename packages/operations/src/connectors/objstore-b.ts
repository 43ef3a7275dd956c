import { Type } from 'typebox'
import { defineExport, defineImport } from '../define.ts'
import { filename, secret, targetPath, text } from '../fields.ts'

const access = {
  project_id: text('Cloud project id.'),
  bucket: text('Bucket name.'),
  client_email: text('Service account.'),
  private_key: secret('Private key of the service account.'),
}

export const importObjstoreB = defineImport({
  name: 'import/objstore_b',
  summary: 'Import from a Google Cloud Storage bucket',
  description: 'Fetches an object.',
  fields: { ...access, file: text('Object name, with its path.'), filename: Type.Optional(filename) },
})

export const exportObjstoreB = defineExport({
  name: 'export/objstore_b',
  summary: 'Export to a Google Cloud Storage bucket',
  description: 'Writes objects.',
  fields: { ...access, file: targetPath('Object name to write to.') },
})
