import type { FinalRecord } from '../final-record.ts'
import type { Entry } from '../history.ts'
import { checkDoubles, checkLost } from './check-creations.ts'
import {
  checkBytes,
  checkDownloads,
  checkFailures,
  checkMinutes,
  checkOrphans,
  checkSlots,
  checkStorage,
  checkUsage,
} from './check-ends.ts'
import { checkEvents } from './check-events.ts'
import { checkSeen, checkUndone } from './check-promises.ts'
import { collectFacts, type Violation } from './facts.ts'

const rules = [
  checkLost,
  checkDoubles,
  checkUndone,
  checkSeen,
  checkEvents,
  checkBytes,
  checkDownloads,
  checkMinutes,
  checkSlots,
  checkStorage,
  checkUsage,
  checkOrphans,
  checkFailures,
]

/** Compares what clients saw with the final state and returns every violation of a rule. It reads nothing else. */
export function checkRun(history: readonly Entry[], record: FinalRecord): readonly Violation[] {
  const facts = collectFacts(history, record)
  return rules.flatMap((rule) => rule(facts))
}
