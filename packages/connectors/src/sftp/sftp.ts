import { failure, isFailure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { type Connector, defineExporter, defineImporter, type Exporter, type Importer } from '../connector.ts'
import { exportFiles } from '../export-files.ts'
import { chooseFilename } from '../filename.ts'
import { saveFrom } from '../save-from.ts'
import { readAccess } from './access.ts'
import { connectSftp, type SftpParts } from './connect.ts'
import { createHostKeys } from './host-keys.ts'
import { openRemoteFile } from './remote-file.ts'
import { putRemoteFile } from './remote-target.ts'

/** SFTP servers. */
export const sftp: Connector = ({ outbound, database }) => {
  const parts = { outbound: outbound.for('sftp'), hostKeys: createHostKeys(database) }
  return { importers: [createSftpImporter(parts)], exporters: [createSftpExporter(parts)] }
}

/** Fetches a file from an SFTP server. */
export function createSftpImporter(parts: SftpParts): Importer {
  return defineImporter({
    operation: 'import/sftp',

    async run(payload, context) {
      const access = readAccess(payload)
      if (isFailure(access)) return access
      const path = payload.file_string
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
  })
}

/** Puts files on an SFTP server. */
export function createSftpExporter(parts: SftpParts): Exporter {
  return defineExporter({
    operation: 'export/sftp',

    async run(payload, context) {
      const access = readAccess(payload)
      if (isFailure(access)) return access
      const { ownerId, signal } = context
      const connect = (until: AbortSignal) => connectSftp(parts, access, { ownerId, signal: until })
      return exportFiles(context, payload.file_string, (path, file, reached) =>
        putRemoteFile({ connect, signal, reached }, file, path),
      )
    },
  })
}
