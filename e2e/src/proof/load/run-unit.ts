import { setTimeout as pause } from 'node:timers/promises'
import type { Job, Task } from '@lathe/contract'
import { type Chance, createChance } from '../../chance.ts'
import { type Content, conversions, dataUrl, fewBytes, imageOf } from './contents.ts'
import { listen } from './listen.ts'
import type { Unit } from './plan-load.ts'
import type { RecordingClient, Reply, Request } from './recording-client.ts'

/** What every unit of a round knows. */
export interface Stage {
  readonly seed: number
  readonly round: number
  client(owner: number): RecordingClient
  /** The SHA-256 of the result of each conversion. */
  readonly converted: readonly string[]
  /** Aborted when units stop retrying: the round has failed by then. */
  readonly ending: AbortSignal
  listen: Parameters<typeof listen>[0]
}

const retryMs = [50, 400] as const
const waitS = 10

/** Creates what the unit describes and runs its further actions; retries every request without a response. */
export async function runUnit(stage: Stage, unit: Unit): Promise<void> {
  const chance = createChance(stage.seed * 1_000_003 + unit.n)
  const client = stage.client(unit.owner)
  const created = await create(stage, unit, client, chance)
  if (!created) return
  const { body, request } = created
  const jobs = [
    unit.repeated && repeat(stage, client, request),
    unit.kind === 'upload' && upload(stage, client, body as Job, contentOf(unit, stage.round), chance),
    unit.followed &&
      listen(stage.listen, { id: body.id ?? '', isJob: unit.kind !== 'import', owner: unit.owner }, chance),
    unit.end !== 'none' && end(stage, unit, client, body, chance),
  ]
  await Promise.all(jobs)
  if (unit.downloaded && unit.end === 'none') await download(stage, client, body, chance)
}

/** Sends a creation until it is accepted: with its key, or as a new request each time. */
async function create(stage: Stage, unit: Unit, client: RecordingClient, chance: Chance) {
  for (let tries = 0; !stage.ending.aborted; tries++) {
    const marker = `r${stage.round}-u${unit.n}${unit.keyed ? '' : `-${tries}`}.txt`
    const request = creation(stage, unit, marker)
    const reply = await client.send(request)
    const status = reply?.answer.status ?? 0
    if (reply && status === 201) return { body: reply.body, request }
    if (status >= 400 && status < 500 && status !== 429) throw new Error(`${marker}: ${JSON.stringify(reply)}`)
    await pause(chance.between(...retryMs))
  }
  return undefined
}

function contentOf(unit: Unit, round: number): Content {
  return unit.kind === 'conversion' ? imageOf(conversionOf(unit)) : fewBytes(`r${round}-u${unit.n}`)
}

function conversionOf({ n }: Unit): (typeof conversions)[number] {
  return conversions[n % conversions.length] as (typeof conversions)[number]
}

function creation(stage: Stage, unit: Unit, marker: string): Request {
  const content = contentOf(unit, stage.round)
  const key = unit.keyed ? { key: `key-${marker}` } : {}
  const take = { operation: 'import/base64', file: dataUrl(content), filename: content.filename }
  const asJob = (tasks: Record<string, object>, expects: Record<string, string>): Request => {
    return {
      op: 'create',
      method: 'POST',
      path: '/v1/process/jobs',
      json: { tag: marker, tasks },
      marker,
      expects,
      ...key,
    }
  }
  const same = content.sha256
  switch (unit.kind) {
    case 'import': {
      const { operation, ...fields } = take
      const json = { ...fields, filename: marker }
      const expects = { file: same }
      return { op: 'create', method: 'POST', path: `/v1/process/${operation}`, json, marker, expects, ...key }
    }
    case 'copy':
      return asJob({ take, give: { operation: 'export/url', input: 'take' } }, { take: same, give: same })
    case 'chain': {
      const more = { operation: 'export/url', input: 'give' }
      return asJob(
        { take, give: { operation: 'export/url', input: 'take' }, more },
        { take: same, give: same, more: same },
      )
    }
    case 'upload':
      return asJob(
        { take: { operation: 'import/upload' }, give: { operation: 'export/url', input: 'take' } },
        { take: same, give: same },
      )
    case 'conversion': {
      const result = stage.converted[unit.n % conversions.length] ?? ''
      const turn = { operation: 'convert', input: 'take', output_format: conversionOf(unit).format }
      return asJob(
        { take, turn, give: { operation: 'export/url', input: 'turn' } },
        { take: same, turn: result, give: result },
      )
    }
  }
}

/** Repeats the request with the same key, at once and until there is a response. */
async function repeat(stage: Stage, client: RecordingClient, request: Request): Promise<void> {
  await sendUntilAnswered(stage, () => client.send(request))
}

/** Uploads the file to the form of the job's first task, until it is accepted or the form is closed. */
async function upload(
  stage: Stage,
  client: RecordingClient,
  job: Job,
  content: Content,
  chance: Chance,
): Promise<void> {
  const task = job.tasks?.find(({ operation }) => operation === 'import/upload')
  const form = task?.result.form
  // A replayed response after the end contains no form anymore.
  if (!task || !form) return
  await sendUntilAnswered(
    stage,
    async () => {
      const data = new FormData()
      for (const [name, value] of Object.entries(form.parameters)) data.append(name, value)
      data.append('file', new Blob([Buffer.from(content.bytes)]), content.filename)
      return client.send({ op: 'upload', method: 'POST', path: form.url, form: data, subject: task.id })
    },
    chance,
  )
}

async function end(stage: Stage, unit: Unit, client: RecordingClient, body: Partial<Job & Task>, chance: Chance) {
  await pause(chance.between(0, 300))
  const tasks = body.tasks ?? []
  const taskId = unit.kind === 'import' ? (body.id ?? '') : chance.pick(tasks).id
  if (unit.end === 'cancel') {
    const path = `/v1/process/tasks/${taskId}/cancel`
    await sendUntilAnswered(stage, () => client.send({ op: 'cancel', method: 'POST', path, subject: taskId }), chance)
  } else {
    const [kind, id] =
      unit.kind !== 'import' && chance.between(0, 1) === 0 ? ['jobs', body.id ?? ''] : ['tasks', taskId]
    await sendUntilAnswered(
      stage,
      () => client.send({ op: 'delete', method: 'DELETE', path: `/v1/process/${kind}/${id}`, subject: id }),
      chance,
    )
  }
}

/** Waits for the end of the last task and downloads its file. */
async function download(
  stage: Stage,
  client: RecordingClient,
  body: Partial<Job & Task>,
  chance: Chance,
): Promise<void> {
  const last = body.tasks?.at(-1)?.id ?? body.id ?? ''
  const path = `/v1/process/tasks/${last}`
  while (!stage.ending.aborted) {
    const reply = await client.send({ op: 'read', method: 'GET', path, subject: last, waitS })
    const status = reply?.body.status
    if (reply?.answer.status === 200 && status !== 'created' && status !== 'processing') {
      if (status !== 'completed' || (await client.download(reply.body as Task))) return
    }
    await pause(chance.between(...retryMs))
  }
}

/** Sends until the service accepts or refuses; 429 and 5xx are neither. */
async function sendUntilAnswered(stage: Stage, send: () => Promise<Reply | undefined>, chance?: Chance): Promise<void> {
  while (!stage.ending.aborted) {
    const status = (await send())?.answer.status ?? 0
    if (status >= 200 && status < 500 && status !== 429) return
    await pause(chance?.between(...retryMs) ?? retryMs[1])
  }
}
