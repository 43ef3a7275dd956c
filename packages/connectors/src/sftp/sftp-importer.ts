import { failure, isFailure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { chooseFilename } from '../filename.ts'
import type { Importer } from '../importer.ts'
import { saveFrom } from '../save-from.ts'
import { readAccess } from './access.ts'
import { connectSftp, type SftpParts } from './connect.ts'
import { openRemoteFile } from './remote-file.ts'

/** Fetches a file from an SFTP server. */
export function createSftpImporter(parts: SftpParts): Importer {
  return {
    operation: 'import/sftp',

    async run(payload, context) {
      const access = readAccess(payload)
      if (isFailure(access)) return access
      const path = String(payload.file_string ?? '')
      try {
        const { signal } = context
        using file = await openRemoteFile({ connect: () => connectSftp(parts, access, context), path, signal })
        if (file.size !== undefined && file.size > context.maxSize) return failure('limit_exceeded')
        const filename = chooseFilename(payload.filename, path.split('/').at(-1))
        return await saveFrom(context, { filename, content: file.content(), size: file.size })
      } catch (error) {
        context.signal.throwIfAborted()
        if (error instanceof TransferFailed) return error.failure
        throw error
      }
    },
  }
}
