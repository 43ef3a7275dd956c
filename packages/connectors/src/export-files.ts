import { type ExportedFile, type Failure, type FailureCode, failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { ExportContext, ExportFile } from './connector.ts'
import { createMeter } from './save-from.ts'
import { OwnFault } from './send-body.ts'
import { targetPaths } from './target-paths.ts'

/** Uploads one file completely or not at all. Reports the bytes reached. Throws TransferFailed or OwnFault. */
export type PutFile = (path: string, file: ExportFile, reached: (bytes: number) => void) => Promise<void>

/** Exports a task's files one after the other. The first failure ends the export. */
export async function exportFiles(
  context: ExportContext,
  template: string,
  put: PutFile,
): Promise<readonly ExportedFile[] | Failure> {
  const { taskId, files, signal } = context
  const paths = targetPaths(template, taskId, files)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const count = createMeter(total, context.progress)
  const exported: ExportedFile[] = []
  try {
    for (const [n, file] of files.entries()) {
      const path = paths[n] ?? file.filename
      await put(path, file, onlyForward(count))
      exported.push({ path, size: file.size, sha256: file.sha256 })
    }
    return exported
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TransferFailed) return asTarget(error.failure)
    throw error instanceof OwnFault ? error.cause : error
  }
}

// Bytes that are sent again were already counted.
function onlyForward(count: (bytes: number) => void): (reached: number) => void {
  let best = 0
  return (reached) => {
    if (reached <= best) return
    count(reached - best)
    best = reached
  }
}

const targetTexts: Partial<Record<FailureCode, string>> = {
  source_unreachable: 'The target could not be reached or broke off. Check the address and try again.',
  source_not_found: 'There is no such target. Check its name.',
  source_refused: 'The target refused to take the file. Check its settings.',
  source_unauthorized: 'The target did not accept the credentials. Check them and create the task again.',
  source_forbidden: 'The credentials do not allow writing this file. Grant the permission and create the task again.',
}

/** A failure with the text for exports, unless it has its own text: the default texts of failures are about sources. */
function asTarget({ code, text, detail }: Failure): Failure {
  const words = text ?? targetTexts[code]
  return failure(code, { ...(words !== undefined && { text: words }), ...(detail !== undefined && { detail }) })
}
