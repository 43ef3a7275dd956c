import { expect, it } from 'vitest'
import type { FinalRecord } from './final-record.ts'
import type { Entry } from './history.ts'
import { addStates, countRareStates, missingStates } from './rare-states.ts'

const record: FinalRecord = {
  owners: [],
  jobs: [],
  tasks: [],
  events: [],
  files: [],
  objects: [],
  mostUnreferencedMs: 0,
}
const heard = (seq: number): Entry => ({ kind: 'heard', listener: 1, subject: 'j', seq, type: 'task.created' })
const history: readonly Entry[] = [
  { kind: 'unknown', at: 1, call: 1, why: 'reset' },
  { kind: 'answered', at: 2, call: 2, status: 201, replayed: true },
  { kind: 'answered', at: 3, call: 3, status: 503 },
  ...[1, 2, 1].map(heard),
]

it('counts rare states over all rounds', () => {
  const states = countRareStates(history, record, { staleWrites: 2, unreferenced: 1, leaders: 3 })
  expect(addStates([states, states])).toMatchObject({
    'unknown outcome': 2,
    'replayed request': 2,
    'refused while a service was away': 2,
    'event sent twice': 2,
    'refused fence': 4,
    'another leader': 4,
    'deleted object that nothing referred to': 2,
    'recovered lease': 0,
  })
})

it('reports missing states only for runs that are long enough to reach them', () => {
  const states = countRareStates([], record, { staleWrites: 0, unreferenced: 0, leaders: 1 })
  expect(missingStates(states, 10)).toEqual([])
  expect(missingStates(states, 25)).toContain('unknown outcome')
  expect(missingStates(states, 25)).not.toContain('refused fence')
  expect(missingStates(states, 5_000)).toContain('refused fence')
})
