import { type Facts, openStates, type Violation } from './facts.ts'

/** Everything that was accepted is in the database and has ended. */
export function checkLost({ accepted, record, tasks }: Facts): readonly Violation[] {
  const jobs = new Set(record.jobs.map(({ id }) => id))
  const lost = accepted.flatMap(({ sent, answer }) => {
    const ids = [...(answer.id !== undefined && !jobs.has(answer.id) ? [answer.id] : [])]
    const missing = [...ids, ...(answer.tasks ?? []).map(({ id }) => id)].filter((id) => !tasks.has(id))
    return missing.map((id) => `${sent.marker} was accepted as ${id}, which the record does not have`)
  })
  const unfinished = record.tasks.filter(({ status }) => openStates.has(status))
  const openJobs = record.jobs.filter(({ status }) => openStates.has(status))
  return [
    ...lost,
    ...unfinished.map(({ id, status }) => `task ${id} is still ${status}`),
    ...openJobs.map(({ id, status }) => `job ${id} is still ${status}`),
  ].map((what) => ({ rule: 'lost', what }))
}

/**
 * One request creates one job or task, however often it is repeated with its key; and nothing exists without a request.
 */
export function checkDoubles({ accepted, exchanges, record }: Facts): readonly Violation[] {
  const lone = record.tasks.filter(({ jobId }) => jobId === null)
  const made = [...record.jobs, ...lone]
  const found: string[] = []
  for (const [marker, rows] of Map.groupBy(made, (row) => row.marker)) {
    if (marker !== null && rows.length > 1) found.push(`${marker} made ${rows.map(({ id }) => id).join(' and ')}`)
  }
  const keyed = accepted.filter(({ sent }) => sent.key !== undefined)
  for (const [key, all] of Map.groupBy(keyed, ({ sent }) => sent.key)) {
    const ids = new Set(all.map(({ answer }) => answer.id))
    if (ids.size > 1) found.push(`key ${key} was answered with ${[...ids].join(' and ')}`)
  }
  const known = new Set(accepted.map(({ answer }) => answer.id))
  const asked = new Set(exchanges.map(({ sent }) => sent.marker))
  for (const { id, marker } of made) {
    if (!known.has(id) && !(marker !== null && asked.has(marker))) found.push(`nobody asked for ${id}`)
  }
  return found.map((what) => ({ rule: 'twice', what }))
}
