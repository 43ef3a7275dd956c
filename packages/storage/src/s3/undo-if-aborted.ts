import { cleanUpSignal } from '@lathe/runtime'
import type { S3Connection } from './connection.ts'
import { expectSuccess } from './signed-requests.ts'

/** Takes back an object that became visible after its maker had been told to stop, and throws the reason. */
export async function undoIfAborted({ requests }: S3Connection, key: string, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) return
  await expectSuccess(await requests({ method: 'DELETE', key, signal: cleanUpSignal() }))
  throw signal.reason
}
