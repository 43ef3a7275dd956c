import type { DisabledFormat } from '@lathe/domain'
import type { Executor } from './database.ts'
import { createLastKnown } from './last-known.ts'
import { listDisabledFormats } from './queries/disabled-formats.ts'

/** The disabled formats, for processes that check every task. */
export interface DisabledFormats {
  /** At most two seconds old. While PostgreSQL is unavailable, the last known rules; throws if there are none yet. */
  rules(): Promise<readonly DisabledFormat[]>
}

// A change must take effect everywhere within 5 seconds.
const maxAgeMs = 2000

/** Reads the disabled formats on request if the last answer is too old. */
export function createDisabledFormats(db: Executor): DisabledFormats {
  return { rules: createLastKnown<readonly DisabledFormat[]>(() => listDisabledFormats(db), maxAgeMs) }
}
