import { setTimeout as pause } from 'node:timers/promises'
import { type Job, Lathe, type NewJob, type Task } from '@lathe/sdk'
import { createClient } from '../chaos/support/client.ts'
import { noisePicture } from '../chaos/support/noise-picture.ts'
import type { Book } from './book.ts'

export interface LoadOptions {
  /** The URL of the balancer. */
  readonly url: string
  readonly keys: { readonly images: string; readonly videos: string }
  readonly tasksPerSecond: number
  /** A video that takes an engine some seconds. */
  readonly video: Buffer
  /** How many videos are always being converted at the same time. */
  readonly videosAtOnce: number
  readonly book: Book
}

export interface Load {
  /** Stops sending and waits for the end of what was sent. */
  stop(): Promise<void>
}

type Order = Pick<NewJob<string>, 'tasks'>

/** Import, conversion and export. */
export const tasksOfJob = 3
const pauseMs = 500
// Real clients stop waiting at some point; what is not done by then counts as failed.
const patienceMs = 180_000
const ended = new Set(['completed', 'failed', 'canceled'])

/** Sends work at a steady rate, regardless of earlier results, and follows each job to its end. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { url, keys, tasksPerSecond, video, videosAtOnce, book } = options
  const image = `data:image/png;base64,${noisePicture(48, 48).toString('base64')}`
  const upload = await createClient(url, keys.videos).upload(video, 'video.mkv')
  const open = new Set<Promise<void>>()
  let isOver = false

  function keep(work: Promise<void>): void {
    const kept = work.finally(() => open.delete(kept))
    open.add(kept)
  }

  async function sendImages(): Promise<void> {
    const everyMs = (1000 * tasksOfJob) / tasksPerSecond
    for (let n = 0, next = performance.now(); !isOver; n += 1, next += everyMs) {
      keep(runImage(n))
      await pause(Math.max(0, next + everyMs - performance.now()))
    }
  }

  async function runImage(n: number): Promise<void> {
    const tasks = {
      take: { operation: 'import/base64' as const, file: image, filename: 'noise.png' },
      turn: { operation: 'convert' as const, input: 'take', output_format: n % 2 === 0 ? 'webp' : 'jpg' },
      give: { operation: 'export/url' as const, input: 'turn' },
    }
    const end = await follow({ tasks }, keys.images, 'job')
    const link = end?.tasks?.find(({ operation }) => operation === 'export/url')?.result.files?.[0]?.url
    // Each release must accept what the other signed.
    if (end?.status === 'completed') await book.request(`GET ${link}`, () => download(link ?? url))
  }

  async function sendVideos(): Promise<void> {
    while (!isOver) {
      const convert = { operation: 'convert' as const, input: upload.id, output_format: 'mp4' }
      const end = await follow({ tasks: { convert } }, keys.videos, 'video')
      // Pause: there is no point in hammering a service that refuses.
      if (!end) await pause(pauseMs)
    }
  }

  /** Creates a job and waits for its end; undefined if it never ended. */
  async function follow({ tasks }: Order, key: string, kind: 'job' | 'video'): Promise<Job | undefined> {
    const measured = book.begin(kind)
    // No retries: the book counts every rejected request.
    const lathe = new Lathe({ baseUrl: url, key, retries: 0, fetch: fetchAtEnd })
    const made = await book.request('POST /v1/process/jobs', () => lathe.jobs.create({ tasks }))
    // It counts as a rejected request.
    if (!made) return measured.forget()
    const { id } = made
    const deadline = performance.now() + patienceMs
    while (performance.now() < deadline) {
      const shown = await book.request(`GET /v1/process/jobs/${id}`, () => lathe.jobs.get(id))
      if (!shown) {
        await pause(pauseMs)
        continue
      }
      const job = shown.now
      if (!ended.has(job.status)) continue
      measured.end(job.status === 'completed' ? undefined : `${kind} ${id} ${describeFailure(job)}`)
      return job
    }
    measured.end(`${kind} ${id} did not end within ${patienceMs / 1000} s`)
    return undefined
  }

  const senders = [sendImages(), ...Array.from({ length: videosAtOnce }, sendVideos)]
  return {
    async stop() {
      isOver = true
      await Promise.all(senders)
      await Promise.all(open)
    },
  }
}

/** Has the service wait for the end of a job before it responds: a plain request and response through the balancer. */
const fetchAtEnd: typeof fetch = (target, init) => {
  const headers = new Headers(init?.headers)
  if (init?.method === 'GET') headers.set('prefer', 'wait=20')
  return fetch(target, { ...init, headers })
}

/** Downloads a file, without the SDK, which would resume a download that was cut. */
async function download(link: string): Promise<void> {
  const response = await fetch(link)
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${body.slice(0, 200)}`)
}

function describeFailure({ status, tasks = [] }: Job): string {
  const ends = tasks.map(({ operation, status: end, result }: Task) =>
    `${operation} ${end} ${result.reason ?? ''}`.trim(),
  )
  return `is ${status} (${ends.join(', ')})`
}
