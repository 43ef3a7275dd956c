import type { ParsedTask } from '@lathe/contract'
import type { ObjectId } from '@lathe/domain'
import { type ObjectStore, objectKey } from '@lathe/storage'

/** A task of a request with its future id. */
export interface DraftTask {
  readonly id: ObjectId
  readonly parsed: ParsedTask
}

const putMs = 30_000

/** The storage key of content that came inside a request. */
export function stagedKey(taskId: ObjectId): string {
  return objectKey({ taskId, attempt: 0, n: 0 })
}

/**
 * Stores content that came inside a request before its tasks are created: a task must never exist without its content.
 * Returns the keys, so that they can be erased if the tasks are not created. Stores nothing for a client that has gone:
 * an overloaded service would otherwise spend its time on requests that were already given up and sent again.
 */
export async function stageContent(
  store: Pick<ObjectStore, 'put' | 'delete'>,
  drafts: readonly DraftTask[],
  client: AbortSignal,
): Promise<readonly string[]> {
  const staged: string[] = []
  try {
    for (const { id, parsed } of drafts) {
      if (parsed.content === undefined) continue
      const key = stagedKey(id)
      staged.push(key)
      const signal = AbortSignal.any([client, AbortSignal.timeout(putMs)])
      await store.put(key, once(Buffer.from(parsed.content, 'base64')), { signal })
    }
    client.throwIfAborted()
    return staged
  } catch (error) {
    await store.delete(staged).catch(() => undefined)
    throw error
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}
