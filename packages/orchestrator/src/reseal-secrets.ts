import {
  type Executor,
  findSealed,
  findSealedJobWebhooks,
  findSealedTotp,
  findSealedWebhooks,
  replaceJobWebhookSeal,
  replaceSeal,
  replaceTotpSeal,
  replaceWebhookSeal,
} from '@lathe/database'
import { firstIdAt, type ObjectId, oldestShownAt } from '@lathe/domain'
import { forEachPageSafely, forEachSafely, type Sealer, SealingKeyMissing } from '@lathe/runtime'
import type { Context } from './context.ts'

const batch = 500

/** A secret that is sealed for its id. */
interface Sealed {
  readonly id: ObjectId
  readonly sealed: string
}

/** A table of sealed secrets, in the order of their ids. */
interface SecretTable {
  readonly name: string
  readonly first: ObjectId
  find(db: Executor, range: { readonly after: ObjectId; readonly limit: number }): Promise<readonly Sealed[]>
  replace(db: Executor, thing: Sealed, resealed: string): Promise<void>
}

/**
 * Reseals secrets that were sealed with older keys, so that these keys can be removed. Secrets that cannot be opened
 * stay unchanged: the key may only be missing here.
 */
export async function resealSecrets(context: Context, sealer: Sealer): Promise<number> {
  const tables: readonly SecretTable[] = [
    { name: 'tasks', first: firstIdAt(oldestShownAt(context.clock.now())), find: findSealed, replace: replaceSeal },
    { name: 'webhooks', first: '', find: findSealedWebhooks, replace: replaceWebhookSeal },
    { name: 'totp', first: '', find: findSealedTotp, replace: replaceTotpSeal },
    { name: 'job_webhooks', first: '', find: findSealedJobWebhooks, replace: replaceJobWebhookSeal },
  ]
  let resealed = 0
  await forEachSafely(tables, async (table) => {
    resealed += await resealTable(context, sealer, table)
  })
  return resealed
}

async function resealTable({ database, log }: Context, sealer: Sealer, table: SecretTable): Promise<number> {
  let resealed = 0
  let unreadable = 0
  const reseal = async (thing: Sealed) => {
    const text = tryToOpen(sealer, thing)
    if (text === undefined) unreadable += 1
    else {
      await table.replace(database.pool, thing, sealer.seal(text, thing.id))
      resealed += 1
    }
  }
  const read = (last: Sealed | undefined) => table.find(database.pool, { after: last?.id ?? table.first, limit: batch })
  try {
    await forEachPageSafely(read, (found) =>
      forEachSafely(
        found.filter(({ sealed }) => !sealer.isCurrent(sealed)),
        reseal,
      ),
    )
  } finally {
    const facts = { count: unreadable, detail: table.name }
    if (unreadable > 0) log.error(facts, 'secrets are sealed with keys missing from LATHE_SEALING_SECRETS')
  }
  return resealed
}

function tryToOpen(sealer: Sealer, { id, sealed }: Sealed): string | undefined {
  try {
    return sealer.open(sealed, id)
  } catch (error) {
    if (error instanceof SealingKeyMissing) return undefined
    throw error
  }
}
