import { Type } from 'typebox'
import { defineExport, defineImport } from '../define.ts'
import { filename, secret, targetPath, text, webAddress } from '../fields.ts'

const { Optional } = Type

const access = {
  bucket: text('Bucket name.'),
  region: text('Region of the endpoint.'),
  access_key_id: text('Access key id.'),
  secret_access_key: secret('Secret access key.'),
  endpoint: Optional(webAddress('API endpoint in place of the one built from `region`: an http or https URL.')),
}

export const importObjstoreA = defineImport({
  name: 'import/objstore_a',
  summary: 'Import from an S3 bucket',
  description: 'Fetches an object, or inside a job every object under a prefix.',
  fields: {
    ...access,
    key: Optional(text('Object key. Required if `key_prefix` is not set.')),
    key_prefix: Optional(text('Imports every object whose key begins with this; inside jobs only.')),
    filename: Optional(filename),
  },
  mayBringSeveral: ({ key_prefix }) => key_prefix !== undefined,
  check({ key, key_prefix }, { inJob }) {
    if (key_prefix !== undefined && !inJob) {
      return [{ path: 'key_prefix', msg: 'works inside jobs only. Give `key`, or create a job.' }]
    }
    if (key !== undefined && key_prefix !== undefined) {
      return [{ path: 'key_prefix', code: 'conflict', msg: 'cannot be combined with `key`. Give one of the two.' }]
    }
    if (key !== undefined || key_prefix !== undefined) return []
    const msg = inJob ? 'is required, unless `key_prefix` is given.' : 'is required.'
    return [{ path: 'key', code: 'required', msg }]
  },
})

export const exportObjstoreA = defineExport({
  name: 'export/objstore_a',
  summary: 'Export to an S3 bucket',
  description: 'Writes objects.',
  fields: { ...access, key: targetPath('Object key to write to.') },
})
