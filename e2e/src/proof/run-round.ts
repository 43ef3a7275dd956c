import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '@lathe/contract'
import { type S3Server, waitFor } from '@lathe/testing'
import { createChance } from '../chance.ts'
import { inParallel } from '../command.ts'
import { checkRun } from './check/check-run.ts'
import type { Violation } from './check/facts.ts'
import { type FaultName, type Incident, planFaults } from './faults/fault.ts'
import { inflict } from './faults/inflict.ts'
import { untilRevived } from './faults/processes.ts'
import { openHistory, readHistory } from './history-file.ts'
import { conversions, dataUrl, fewBytes, imageOf } from './load/contents.ts'
import { planLoad, sharedOwners, type Unit } from './load/plan-load.ts'
import { createRecordingClient, type RecordingClient } from './load/recording-client.ts'
import { runUnit, type Stage } from './load/run-unit.ts'
import { countRareStates, type RareStates } from './rare-states.ts'
import { readRecord } from './read-record.ts'
import { watchProcesses } from './watch-processes.ts'
import { mostUnreferencedMs, startWorld, type World } from './world.ts'

/** One part of a run: an amount of load and faults on separate services. */
export interface RoundOptions {
  readonly n: number
  readonly seed: number
  readonly tasks: number
  readonly faults: number
  readonly names: readonly FaultName[]
  /** Duration of faults as a share of their full length. */
  readonly scale: number
  readonly folder: string
  readonly s3: S3Server
  /** Ends everything started if the run is stopped from outside. */
  readonly own: AsyncDisposableStack
  /** Starts services while no other round does. */
  startAlone<T>(start: () => Promise<T>): Promise<T>
  tell(line: string): void
}

/** The result of a round. */
export interface RoundResult {
  readonly n: number
  readonly tasks: number
  readonly faults: Readonly<Record<string, number>>
  readonly violations: readonly Violation[]
  readonly states: RareStates
  readonly longestRecoveryMs: number
  readonly tookS: number
}

const lanes = 24
// How many units may be ahead of their faults.
const unitsAhead = 60
const settleMs = 180_000
const mostRecoveryMs = 120_000

/** Runs a round and checks it. */
export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { n, seed, folder, tell } = options
  const roundSeed = seed * 7_919 + n
  const units = planLoad(options.tasks, roundSeed)
  const incidents = planFaults(options.faults, createChance(roundSeed), options)
  const file = join(folder, `round-${n}.jsonl`)
  const owners = sharedOwners + units.filter(({ kind }) => kind === 'conversion').length + 1
  let startedAt = performance.now()
  await using world = await options.startAlone(async () => {
    startedAt = performance.now()
    return options.own.use(await startWorld({ s3: options.s3, folder, owners }))
  })
  tell(`round ${n}: the service is up after ${seconds(startedAt)} s`)
  const history = openHistory(file)
  const clients = world.owners.map(({ key }) => createRecordingClient({ key, url: world.url, note: history.note }))
  const client = (owner: number) => clients[owner] as RecordingClient
  const converted = await convertAll(client(owners - 1))
  const failed = new AbortController()
  // A round that takes longer than this is stuck.
  const ending = AbortSignal.any([failed.signal, AbortSignal.timeout(600_000 + options.faults * 60_000)])
  const listening = {
    url: world.url,
    key: (owner: number) => world.owners[owner]?.key ?? '',
    note: history.note,
    ending,
  }
  const stage: Stage = { seed: roundSeed, round: n, client, converted, ending, listen: listening }
  let longestRecoveryMs = 0
  let counters: { staleWrites: number; unreferenced: number; leaders: number; deaths: readonly string[] }
  {
    await using watch = watchProcesses(world.stack)
    const pace = createPace(units, incidents.flat().length)
    const load = inParallel(units, lanes, async (unit) => {
      await pace.untilDue(unit)
      await runUnit(stage, unit)
      pace.noteUnit()
      if (unit.n % 100 === 99)
        tell(`round ${n}: ${unit.n + 1} of ${units.length} units, ${pace.faults} faults, ${seconds(startedAt)} s`)
    })
    // Awaited after the faults; until then a failure ends them.
    load.catch(() => {
      failed.abort()
      pace.finish()
    })
    try {
      for (const [i, incident] of incidents.entries()) {
        await pace.untilLoad()
        if (failed.signal.aborted) break
        const recoveryMs = await harm(world, incident, history.note, () =>
          probe(client(owners - 1), `r${n}-probe-${i}.txt`),
        )
        longestRecoveryMs = Math.max(longestRecoveryMs, recoveryMs)
        pace.noteFaults(incident.length)
      }
      pace.finish()
      await untilRevived(world)
      await load
      await untilSettled(world)
    } catch (error) {
      failed.abort()
      pace.finish()
      await Promise.allSettled([load, untilRevived(world)])
      await keepLogs(world, join(folder, `round-${n}-logs`))
      throw error
    }
    const { staleWrites, unreferenced, deaths } = watch
    counters = { staleWrites, unreferenced, leaders: watch.leaders(), deaths }
  }
  await history[Symbol.asyncDispose]()
  const entries = await readHistory(file)
  const record = await readRecord(world.stack, mostUnreferencedMs)
  const violations = [...checkRun(entries, record), ...counters.deaths.map((what) => ({ rule: 'died' as const, what }))]
  if (violations.length > 0) await keepLogs(world, join(folder, `round-${n}-logs`))
  const faults = Object.fromEntries(
    options.names.map((name) => [name, incidents.flat().filter((fault) => fault.name === name).length]),
  )
  const states = countRareStates(entries, record, counters)
  return { n, tasks: record.tasks.length, faults, violations, states, longestRecoveryMs, tookS: seconds(startedAt) }
}

/** Keeps load and faults in step: neither gets far ahead of the other. */
function createPace(units: readonly Unit[], faults: number) {
  let done = 0
  let harmed = 0
  let isOver = false
  const unitsPerFault = faults === 0 ? Number.POSITIVE_INFINITY : units.length / faults
  const until = async (isDue: () => boolean) => {
    while (!isDue()) await pause(20)
  }
  return {
    get faults() {
      return harmed
    },
    untilDue: ({ n }: Unit) => until(() => isOver || n < (harmed + 1) * unitsPerFault + unitsAhead),
    untilLoad: () => until(() => isOver || done + lanes >= Math.min(units.length, harmed * unitsPerFault)),
    noteUnit() {
      done += 1
    },
    noteFaults(count: number) {
      harmed += count
    },
    finish() {
      isOver = true
    },
  }
}

/** Injects all faults of an incident at once, and measures how long after their end a new task completes. */
async function harm(
  world: World,
  incident: Incident,
  note: ReturnType<typeof openHistory>['note'],
  isWell: () => Promise<boolean>,
) {
  const startedAt = performance.now()
  const done = await Promise.all(
    incident.map(async (fault) => {
      const begun = performance.now()
      const target = await inflict[fault.name](world, fault)
      return { fault: fault.name, target, tookMs: Math.round(performance.now() - begun) }
    }),
  )
  const endedAt = performance.now()
  await waitFor(isWell, {
    withinMs: mostRecoveryMs,
    everyMs: 50,
    what: `recovery from ${incident.map(({ name }) => name).join(' and ')}`,
  })
  const recoveryMs = Math.round(performance.now() - endedAt)
  for (const one of done) note({ kind: 'fault', at: startedAt, ...one, recoveryMs })
  return recoveryMs
}

/** Sends a task and returns whether it completes. */
async function probe(client: RecordingClient, marker: string): Promise<boolean> {
  const content = fewBytes(marker)
  const json = { file: dataUrl(content), filename: marker }
  const request = {
    op: 'create' as const,
    method: 'POST',
    path: '/v1/process/import/base64',
    json,
    marker,
    key: `key-${marker}`,
    expects: { file: content.sha256 },
  }
  const created = await client.send(request)
  if (created?.answer.status !== 201) return false
  const id = created.body.id ?? ''
  const read = await client.send({ op: 'read', method: 'GET', path: `/v1/process/tasks/${id}`, subject: id, waitS: 5 })
  return read?.body.status === 'completed'
}

/** Runs every conversion once without faults: these results are expected later. */
async function convertAll(client: RecordingClient): Promise<readonly string[]> {
  return Promise.all(
    conversions.map(async (conversion, i) => {
      const image = imageOf(conversion)
      const marker = `reference-${i}`
      const tasks = {
        take: { operation: 'import/base64', file: dataUrl(image), filename: image.filename },
        turn: { operation: 'convert', input: 'take', output_format: conversion.format },
      }
      const request = { op: 'create', method: 'POST', path: '/v1/process/jobs', json: { tag: marker, tasks } } as const
      // Other rounds may be starting at the same time, so an answer may come too late.
      let made = await client.send({ ...request, marker, key: `key-${marker}` })
      for (let n = 0; n < 5 && !made; n += 1) made = await client.send({ ...request, marker, key: `key-${marker}` })
      const turn = made?.body.tasks?.[1]?.id ?? ''
      const read = { op: 'read', method: 'GET', path: `/v1/process/tasks/${turn}`, subject: turn, waitS: 50 } as const
      let done = await client.send(read)
      for (let n = 0; n < 3 && isOpen(done?.body); n += 1) done = await client.send(read)
      const sha256 = (done?.body as Task | undefined)?.result?.files?.[0]?.sha256
      if (!sha256)
        throw new Error(
          `${image.filename} did not become ${conversion.format}: ${JSON.stringify(done?.body ?? made?.answer)}`,
        )
      return sha256
    }),
  )
}

function isOpen(task: Partial<Task> | undefined): boolean {
  return task?.status === undefined || task.status === 'created' || task.status === 'processing'
}

/** Waits until nothing is open; the checker reports what still is after that. */
async function untilSettled({ stack }: World): Promise<void> {
  const sql = `select count(*)::int as open from tasks where status in ('created', 'processing')`
  const isSettled = async () => (await stack.database.pool.query<{ open: number }>(sql)).rows[0]?.open === 0
  await waitFor(isSettled, { withinMs: settleMs, everyMs: 250 }).catch(() => {})
}

/** Disposing the stack deletes the logs: those of a failed round are kept. */
async function keepLogs({ stack }: World, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(stack.processes.map(({ name, log }) => writeFile(join(folder, `${name}.log`), log())))
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000)
}
