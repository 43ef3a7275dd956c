import { type Failure, failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { createBreaks } from './breaks.ts'
import type { ImportContext } from './connector.ts'
import { type RemoteContent, type RemoteFile, readOn } from './remote-content.ts'
import { retryBroken } from './retry-broken.ts'
import { saveFrom } from './save-from.ts'

/** Imports one file from a storage server. A transfer that breaks off resumes where it was. */
export async function importFile(
  file: RemoteFile,
  filename: string,
  context: Pick<ImportContext, 'save' | 'progress' | 'maxSize' | 'signal'>,
): Promise<Failure | undefined> {
  const breaks = createBreaks(context.signal)
  let content: RemoteContent
  try {
    content = await retryBroken(breaks, 0, () => file.open())
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof TransferFailed) return error.failure
    throw error
  }
  const { size, body } = content
  try {
    if (size > context.maxSize) return tooLarge(context.maxSize)
    return await saveFrom(context, { filename, size, content: readOn(file, content, breaks) })
  } finally {
    body.destroy()
  }
}

function tooLarge(maxSize: number): Failure {
  return failure('limit_exceeded', { text: `The file is larger than the ${maxSize} bytes this service allows.` })
}
