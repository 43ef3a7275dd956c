import type { DisabledFormat } from '@lathe/domain'
import type { Executor } from './database.ts'
import { createLastKnown } from './last-known.ts'
import { listDisabledFormats } from './queries/disabled-formats.ts'

/** What is switched off, for processes that ask for every task. */
export interface DisabledFormats {
  /** At most two seconds old. While PostgreSQL is away, as last known; throws if nothing is known yet. */
  rules(): Promise<readonly DisabledFormat[]>
}

// A change must work everywhere within 5 seconds.
const maxAgeMs = 2000

/** Reads what is switched off when somebody asks and the last answer is too old. */
export function createDisabledFormats(db: Executor): DisabledFormats {
  return { rules: createLastKnown<readonly DisabledFormat[]>(() => listDisabledFormats(db), maxAgeMs) }
}
