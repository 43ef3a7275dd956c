import type { FieldError } from '@lathe/domain'
import { type Static, type TObject, Type } from 'typebox'
import { defineExport, defineImport } from '../define.ts'
import { filename, secret, targetPath, text } from '../fields.ts'

const { Optional } = Type

const access = {
  container: text('Container name.'),
  storage_account: text('Storage account name.'),
  storage_access_key: Optional(secret('Access key. Required if `sas_token` is not set.')),
  sas_token: Optional(secret('Shared-access token; wins over the access key.')),
}

function check({ sas_token, storage_access_key }: Static<TObject<typeof access>>): FieldError[] {
  if (sas_token !== undefined || storage_access_key !== undefined) return []
  return [{ path: 'storage_access_key', code: 'required', msg: 'is required, unless `sas_token` is given.' }]
}

export const importBlobstore = defineImport({
  name: 'import/blobstore',
  summary: 'Import from an Azure Blob Storage container',
  description: 'Fetches a blob.',
  fields: { ...access, blob: text('Blob name, with its path.'), filename: Optional(filename) },
  check,
})

export const exportBlobstore = defineExport({
  name: 'export/blobstore',
  summary: 'Export to an Azure Blob Storage container',
  description: 'Writes blobs.',
  fields: { ...access, blob: targetPath('Blob name to write to.') },
  check,
})
