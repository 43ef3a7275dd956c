import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '../../chance.ts'
import { eventsOf } from '../../events-of.ts'
import type { Entry } from '../history.ts'

/** What a listener needs to know about the service. */
export interface Listening {
  url(): string
  key(owner: number): string
  note(entry: Entry): void
  /** Aborted when listeners stop reconnecting. */
  readonly ending: AbortSignal
}

export interface Subject {
  readonly id: string
  readonly isJob: boolean
  readonly owner: number
}

// The service sends a heartbeat every 15 s.
const silentMs = 20_000
let listeners = 0

/**
 * Follows a job or task by server-sent events until the service reports that there are no more. A plain request, because
 * the SDK hides repeated events and reconnects to one api only, and the history has every event as it arrived.
 */
export async function listen(listening: Listening, { id, isJob, owner }: Subject, chance: Chance): Promise<void> {
  const { url, key, note, ending } = listening
  const listener = ++listeners
  let last = 0
  while (!ending.aborted) {
    const outcome = await readOnce().catch(() => 'cut')
    if (outcome === 'over') return note({ kind: 'over', listener, subject: id })
    if (outcome === 'gone') return
    await pause(chance.between(20, 300))
  }

  async function readOnce(): Promise<'over' | 'gone' | 'cut'> {
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), silentMs)
    try {
      // A client may have received an event without recording it: it requests that one again.
      const from = Math.max(0, last - chance.between(0, 1))
      const headers = { authorization: `Bearer ${key(owner)}`, ...(from > 0 && { 'last-event-id': `${from}` }) }
      const path = `/v1/process/${isJob ? 'jobs' : 'tasks'}/${id}/events`
      const response = await fetch(`${url()}${path}`, { headers, signal: silence.signal })
      if (response.status === 204) return 'over'
      if (response.status !== 200) return response.status === 404 ? 'gone' : 'cut'
      for await (const { seq, type } of eventsOf(response)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), silentMs)
        note({ kind: 'heard', listener, subject: id, seq, type })
        if (type !== 'task.progress') last = Math.max(last, seq)
      }
      // The stream ends when everything was sent, or when the process stopped: another request returns 204 in the first
      // case.
      return 'cut'
    } finally {
      clearTimeout(timer)
    }
  }
}
