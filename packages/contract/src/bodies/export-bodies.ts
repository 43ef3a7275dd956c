import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { filename, folder, input, targetPath } from './fields.ts'
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
      folders: Optional(
        Type.Array(folder, {
          minItems: 1,
          maxItems: limits.inputsPerTask,
          description:
            'The folder of the files of each input in the ZIP, in the order of `input`; an empty text for the top. A folder such as `album/day 1`: relative, without `.`, `..`, backslashes or control characters.',
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
