import { Type } from 'typebox'
import { filename, input, targetPath } from './fields.ts'
import { blobstoreAccess, objstoreAAccess, objstoreBAccess, sftpAccess } from './import-bodies.ts'

const { Optional } = Type
const closed = { additionalProperties: false } as const

/** The bodies of the export operations. */
export const exportBodies = {
  'export/url': Type.Object(
    {
      input,
      filename: Optional(filename),
      archive_multiple_files: Optional(
        Type.Boolean({
          description:
            'true or false. false: `result.files` has a link for each file. true: one ZIP of all files, even of one.',
          default: false,
        }),
      ),
    },
    closed,
  ),
  'export/objstore_a': Type.Object({ input, ...objstoreAAccess, key: targetPath('Object key to write to.') }, closed),
  'export/objstore_b': Type.Object({ input, ...objstoreBAccess, file: targetPath('Object name to write to.') }, closed),
  'export/blobstore': Type.Object({ input, ...blobstoreAccess, blob: targetPath('Blob name to write to.') }, closed),
  'export/sftp': Type.Object({ input, ...sftpAccess, file_string: targetPath('File to write on the server.') }, closed),
}
