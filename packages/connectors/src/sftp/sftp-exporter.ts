import { isFailure } from '@lathe/domain'
import { exportFiles } from '../export-files.ts'
import type { Exporter } from '../exporter.ts'
import { readAccess } from './access.ts'
import { connectSftp, type SftpParts } from './connect.ts'
import { putRemoteFile } from './remote-target.ts'

/** Puts files on an SFTP server. */
export function createSftpExporter(parts: SftpParts): Exporter {
  return {
    operation: 'export/sftp',

    async run(payload, context) {
      const access = readAccess(payload)
      if (isFailure(access)) return access
      const { ownerId, signal } = context
      const connect = (until: AbortSignal) => connectSftp(parts, access, { ownerId, signal: until })
      return exportFiles(context, String(payload.file_string ?? ''), (path, file, reached) =>
        putRemoteFile({ connect, signal, reached }, file, path),
      )
    },
  }
}
