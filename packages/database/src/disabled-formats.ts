import type { DisabledFormat } from '@lathe/domain'
import { withDeadline } from '@lathe/runtime'
import type { Executor } from './database.ts'
import { listDisabledFormats } from './queries/disabled-formats.ts'

/** What is switched off, for processes that ask for every task. */
export interface DisabledFormats {
  /** At most two seconds old. While PostgreSQL is away, as last known; throws if nothing is known yet. */
  rules(): Promise<readonly DisabledFormat[]>
}

// A change must work everywhere within 5 seconds.
const maxAgeMs = 2000
// A task that can run must not wait for PostgreSQL to come back.
const longestWaitMs = 1000

/** Reads what is switched off when somebody asks and the last answer is too old. */
export function createDisabledFormats(db: Executor): DisabledFormats {
  let known: readonly DisabledFormat[] | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly DisabledFormat[]> | undefined

  async function read(): Promise<readonly DisabledFormat[]> {
    const startedAt = performance.now()
    try {
      known = await listDisabledFormats(db)
      readAt = startedAt
      return known
    } catch (error) {
      if (known === undefined) throw error
      return known
    } finally {
      reading = undefined
    }
  }

  return {
    async rules() {
      if (known && performance.now() - readAt < maxAgeMs) return known
      reading ??= read()
      const last = known
      return last ? withDeadline(reading, longestWaitMs).catch(() => last) : reading
    },
  }
}
