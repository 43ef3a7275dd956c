import type { FinalRecord } from './final-record.ts'
import type { Entry } from './history.ts'

/** How often a run reached the rare states that it is meant to test. */
export type RareStates = Readonly<Record<RareState, number>>

export type RareState = keyof typeof smallestRun

/** From this number of faults on, a run must have reached each state: shorter runs may miss it by chance. */
const smallestRun = {
  'unknown outcome': 20,
  'replayed request': 20,
  'refused while a service was away': 20,
  'recovered lease': 60,
  'another attempt': 60,
  'refused fence': 400,
  'another leader': 40,
  'event sent twice': 60,
  // A task often ends before its cancellation arrives.
  'canceled task': 60,
  'deleted task': 20,
  'task that waited for a slot': 20,
  'deleted object that nothing referred to': 60,
} as const

/** Counts the rare states of a round. */
export function countRareStates(
  history: readonly Entry[],
  { tasks }: FinalRecord,
  counters: { readonly staleWrites: number; readonly unreferenced: number; readonly leaders: number },
): RareStates {
  const answers = history.filter((entry) => entry.kind === 'answered')
  return {
    'unknown outcome': history.filter(({ kind }) => kind === 'unknown').length,
    'replayed request': answers.filter(({ replayed }) => replayed).length,
    'refused while a service was away': answers.filter(({ status }) => status === 503).length,
    'recovered lease': tasks.filter(({ workerDeaths }) => workerDeaths > 0).length,
    'another attempt': tasks.filter(({ attempt }) => attempt > 1).length,
    'refused fence': counters.staleWrites,
    'deleted object that nothing referred to': counters.unreferenced,
    'another leader': Math.max(0, counters.leaders - 1),
    'event sent twice': countRepeats(history),
    'canceled task': tasks.filter(({ status }) => status === 'canceled').length,
    'deleted task': tasks.filter(({ status }) => status === 'deleted').length,
    'task that waited for a slot': answers.filter(({ tasks: shown }) =>
      shown?.some(({ status }) => status === 'created'),
    ).length,
  }
}

function countRepeats(history: readonly Entry[]): number {
  const heard = history.filter((entry) => entry.kind === 'heard' && entry.type !== 'task.progress')
  const distinct = new Set(heard.map((entry) => (entry.kind === 'heard' ? `${entry.listener} ${entry.seq}` : '')))
  return heard.length - distinct.size
}

/** Adds up the states of all rounds. */
export function addStates(rounds: readonly RareStates[]): RareStates {
  const names = Object.keys(smallestRun) as RareState[]
  const sums = names.map((name) => [name, rounds.reduce((sum, states) => sum + states[name], 0)])
  return Object.fromEntries(sums) as RareStates
}

/** The states that a run with this many faults should have reached and has not. */
export function missingStates(states: RareStates, faults: number): readonly RareState[] {
  const names = Object.keys(smallestRun) as RareState[]
  return names.filter((name) => states[name] === 0 && faults >= smallestRun[name])
}
