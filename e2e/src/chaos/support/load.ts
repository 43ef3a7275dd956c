import { setTimeout as pause } from 'node:timers/promises'
import type { Job, Task } from '@lathe/contract'
import type { Chance } from './chance.ts'
import type { Answer, Client } from './client.ts'
import { noisePicture } from './noise-picture.ts'

/** The results of the requests of a load. */
export interface LoadResult {
  /** Ids of all tasks whose creation was answered with 201. */
  readonly accepted: readonly string[]
  readonly refused: readonly Refusal[]
}

/** Any other response than 201: its status, or `none`. A 503 must tell the client when to try again. */
export type Refusal = number | '503 without Retry-After' | 'none'

export interface Load {
  readonly accepted: readonly string[]
  /** Resolves when all requests have ended, with or without a response. */
  readonly done: Promise<LoadResult>
}

export interface LoadOptions {
  /** Number of tasks, in jobs of three and alone. */
  readonly tasks: number
  readonly chance: Chance
  readonly requestsAtOnce?: number
}

const retryMs = 200
const picture = `data:image/png;base64,${noisePicture(48, 48).toString('base64')}`
const importTask = { file: picture, filename: 'noise.png' }
const formats = ['webp', 'jpg', 'png', 'gif'] as const

/**
 * Creates tasks without waiting for any to end: single imports, and jobs that import, convert and export. Continues
 * until the requested number was accepted, so that it lasts as long as the disturbance.
 */
export function startLoad(client: Client, { tasks, chance, requestsAtOnce = 6 }: LoadOptions): Load {
  const accepted: string[] = []
  const refused: Refusal[] = []
  let left = tasks

  async function sendOne(): Promise<void> {
    const asJob = left >= 3 && chance.between(1, 4) > 1
    const size = asJob ? 3 : 1
    left -= size
    const answer = await (asJob ? sendJob(client, chance) : sendTask(client)).catch(() => undefined)
    if (answer?.status === 201) return void accepted.push(...answer.body)
    // Sent again as a new request, like a client that does not know Idempotency-Key.
    refused.push(answer ? refusalOf(answer) : 'none')
    left += size
    await pause(retryMs)
  }

  async function sendAll(): Promise<void> {
    while (left > 0) await sendOne()
  }

  const done = Promise.all(Array.from({ length: requestsAtOnce }, sendAll)).then(() => ({ accepted, refused }))
  return { accepted, done }
}

function refusalOf({ status, retryAfter = 0 }: Answer<unknown>): Refusal {
  return status === 503 && !(retryAfter > 0) ? '503 without Retry-After' : status
}

async function sendTask(client: Client): Promise<Answer<readonly string[]>> {
  const answer = await client.post<Task>('/v1/process/import/base64', importTask)
  return { ...answer, body: [answer.body.id] }
}

async function sendJob(client: Client, chance: Chance): Promise<Answer<readonly string[]>> {
  const answer = await client.post<Job>('/v1/process/jobs', {
    tasks: {
      take: { operation: 'import/base64', ...importTask },
      turn: { operation: 'convert', input: 'take', output_format: chance.pick(formats) },
      give: { operation: 'export/url', input: 'turn' },
    },
  })
  return { ...answer, body: answer.body.tasks?.map(({ id }) => id) ?? [] }
}
