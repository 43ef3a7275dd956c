import { type Client, createClient } from '../parts/client.ts'
import { inLanes } from '../parts/lanes.ts'
import { median } from '../parts/measure.ts'
import type { SampleDocument } from './documents.ts'

const waitS = 60
/** Concurrent requests of one user: enough that no core waits for the next. */
const width = 8

/** A user of the service with uploaded documents. */
export interface User {
  readonly client: Client
  readonly inputs: readonly string[]
}

/** Creates a user and uploads documents. This is not measured, because plain LibreOffice has them on disk. */
export async function openUser(url: string, key: string, documents: readonly SampleDocument[]): Promise<User> {
  const client = createClient(url, key)
  const inputs: string[] = new Array(documents.length)
  await inLanes(documents.length, 4, async (i) => {
    inputs[i] = await client.upload(documents[i]?.path ?? '')
  })
  return { client, inputs }
}

/** Letters per second of one user who sends them all. */
export async function batchRate({ client, inputs }: User): Promise<number> {
  const startedAt = performance.now()
  await inLanes(inputs.length, width, (i) => convert(client, inputs[i] ?? ''))
  return (inputs.length * 1000) / (performance.now() - startedAt)
}

/** Letters per second when each belongs to a different user: no LibreOffice instance serves two of them. */
export async function strangersRate(users: readonly User[]): Promise<number> {
  const startedAt = performance.now()
  await inLanes(users.length, width, async (i) => {
    const user = users[i]
    if (user) await convert(user.client, user.inputs[0] ?? '')
  })
  return (users.length * 1000) / (performance.now() - startedAt)
}

export interface ClientsFigures {
  readonly rate: number
  /** The average time of one conversion in ms, with each document size represented by its median. */
  readonly latency: number
}

/** Users who each send one document after another, all at the same time. */
export async function clientsFigures(
  users: readonly User[],
  documents: readonly SampleDocument[],
): Promise<ClientsFigures> {
  const times = new Map<number, number[]>()
  const startedAt = performance.now()
  await Promise.all(
    users.map(async ({ client, inputs }) => {
      for (const [i, input] of inputs.entries()) {
        const sentAt = performance.now()
        await convert(client, input)
        const pages = documents[i]?.pages ?? 0
        times.set(pages, [...(times.get(pages) ?? []), performance.now() - sentAt])
      }
    }),
  )
  const rate = (users.length * documents.length * 1000) / (performance.now() - startedAt)
  const medians = [...times.values()].map(median)
  return { rate, latency: medians.reduce((sum, ms) => sum + ms, 0) / medians.length }
}

async function convert(client: Client, input: string): Promise<void> {
  const { status, result } = await client.convertTo(input, 'pdf', {}, waitS)
  if (status !== 'completed') throw new Error(`a conversion was ${status} after ${waitS} s: ${result?.msg ?? ''}`)
}
