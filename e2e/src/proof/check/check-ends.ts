import { processingOperations } from '@lathe/operations'
import type { Facts, Violation } from './facts.ts'

/** The file of a completed task is as expected, in the database and in the store. */
export function checkBytes({ record, expected }: Facts): readonly Violation[] {
  const files = Map.groupBy(record.files, ({ task }) => task)
  const completed = record.tasks.filter(({ status }) => status === 'completed')
  const found = completed.flatMap(({ id, operation }) => {
    const [file, ...more] = files.get(id) ?? []
    if (!file || more.length > 0) return [`${operation} ${id} completed with ${file ? more.length + 1 : 'no'} files`]
    const { key, sha256, stored, deleted } = file
    const wanted = expected.get(id) ?? sha256
    return [
      ...(sha256 === wanted ? [] : [`${operation} ${id} has ${sha256}, not ${wanted}`]),
      ...(deleted || stored === sha256 ? [] : [`${key} of ${id} holds ${stored ?? 'nothing'}, not ${sha256}`]),
    ]
  })
  return found.map((what) => ({ rule: 'bytes', what }))
}

/** Links return the bytes of the file. The expected bytes of a deleted task are no longer known. */
export function checkDownloads({ record, expected, history }: Facts): readonly Violation[] {
  const recorded = new Map(record.files.map(({ task, sha256 }) => [task, sha256]))
  const downloads = history.filter((entry) => entry.kind === 'downloaded')
  return downloads.flatMap(({ task, sha256 }) => {
    const wanted = expected.get(task) ?? recorded.get(task) ?? sha256
    return sha256 === wanted
      ? []
      : [{ rule: 'bytes' as const, what: `the link of ${task} gave ${sha256}, not ${wanted}` }]
  })
}

const engineOperations: ReadonlySet<string> = new Set(processingOperations)
// The database stores whole milliseconds.
const roundingMs = 1

/**
 * An owner pays once for the work of its engines: exactly the reported times, as far as they are still recorded, and
 * never more than the time from start to end.
 */
export function checkMinutes({ record }: Facts): readonly Violation[] {
  const work = Map.groupBy(
    record.tasks.filter(({ operation }) => engineOperations.has(operation)),
    ({ ownerId }) => ownerId,
  )
  return record.owners.flatMap(({ id, usedMs }) => {
    const tasks = work.get(id) ?? []
    const mostMs = tasks.reduce((sum, { workMs }) => sum + (workMs ?? 0) + roundingMs, 0)
    const mustPay = tasks.some(({ status }) => status === 'completed')
    if (usedMs > mostMs) return [{ rule: 'minutes' as const, what: `owner ${id} paid ${usedMs} ms for ${mostMs} ms` }]
    const reportedMs = tasks.reduce((sum, { engineMs }) => sum + (engineMs ?? 0), 0)
    const isKnown = tasks.every(({ status, engineMs }) => status === 'completed' && engineMs !== null)
    if (isKnown && Math.abs(usedMs - reportedMs) > tasks.length * roundingMs)
      return [
        { rule: 'minutes' as const, what: `owner ${id} paid ${usedMs} ms, its engines reported ${reportedMs} ms` },
      ]
    return mustPay && usedMs === 0 ? [{ rule: 'minutes' as const, what: `owner ${id} paid nothing` }] : []
  })
}

/** Nothing runs anymore, so no slot is in use. */
export function checkSlots({ record }: Facts): readonly Violation[] {
  return record.owners
    .filter(({ slotsUsed, backlog }) => slotsUsed !== 0 || backlog !== 0)
    .map(({ id, slotsUsed, backlog }) => ({
      rule: 'slots',
      what: `owner ${id} holds ${slotsUsed} slots and has a backlog of ${backlog}`,
    }))
}

/** The counted storage of an owner equals the size of its files. */
export function checkStorage({ record }: Facts): readonly Violation[] {
  return record.owners
    .filter(({ bytesCounted, bytesStored }) => bytesCounted !== bytesStored)
    .map(({ id, bytesCounted, bytesStored }) => ({
      rule: 'storage',
      what: `owner ${id} has ${bytesStored} bytes stored and ${bytesCounted} counted`,
    }))
}

/** Every ended task is counted once in its owner's usage. */
export function checkUsage({ record }: Facts): readonly Violation[] {
  return record.owners
    .filter(({ endsCounted, ends }) => endsCounted !== ends)
    .map(({ id, endsCounted, ends }) => ({
      rule: 'usage',
      what: `${ends} tasks of owner ${id} have ended and ${endsCounted} are counted`,
    }))
}

/** Bytes without a file entry are deleted after a while. */
export function checkOrphans({ record }: Facts): readonly Violation[] {
  const named = new Set(record.files.filter(({ deleted }) => !deleted).map(({ key }) => key))
  return record.objects
    .filter(({ key, ageMs }) => !named.has(key) && ageMs > record.mostUnreferencedMs)
    .map(({ key, ageMs }) => ({
      rule: 'orphans',
      what: `${key} is ${Math.round(ageMs / 1000)} s old and belongs to nothing`,
    }))
}

// A task that has ended may be deleted afterwards.
const endsOfInputs: Readonly<Record<string, readonly string[]>> = {
  input_failed: ['failed', 'deleted'],
  input_canceled: ['canceled', 'deleted'],
  input_deleted: ['deleted'],
}

/**
 * Every file of a run is valid, so a task fails only because an input ended, or because two workers were killed while
 * running it: the second death ends it and is not counted.
 */
export function checkFailures({ record, tasks }: Facts): readonly Violation[] {
  return record.tasks.flatMap(({ id, status, reason, detail, workerDeaths, operation, dependsOn }) => {
    const isExcused = reason === 'input_quarantined' && workerDeaths > 0
    const causes = endsOfInputs[reason ?? ''] ?? []
    const isCaused = dependsOn.some((input) => causes.includes(tasks.get(input)?.status ?? ''))
    if (status !== 'failed' || isExcused || isCaused) return []
    return [{ rule: 'failed' as const, what: `${operation} ${id} failed: ${reason} ${detail?.slice(0, 300) ?? ''}` }]
  })
}
