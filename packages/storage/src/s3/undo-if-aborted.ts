import { cleanUpSignal } from '@lathe/runtime'
import type { S3Connection } from './connection.ts'
import { expectSuccess } from './signed-requests.ts'

/** Deletes an object that became visible after its put or copy was aborted, and throws the abort reason. */
export async function undoIfAborted({ requests }: S3Connection, key: string, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) return
  await expectSuccess(await requests({ method: 'DELETE', key, signal: cleanUpSignal() }))
  throw signal.reason
}
