import { setTimeout as pause } from 'node:timers/promises'
import type { Job, Task } from '@lathe/contract'
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
      take: { operation: 'import/base64', file: image, filename: 'noise.png' },
      turn: { operation: 'convert', input: 'take', output_format: n % 2 === 0 ? 'webp' : 'jpg' },
      give: { operation: 'export/url', input: 'turn' },
    }
    const end = await follow({ tasks }, keys.images, 'job')
    const link = end?.tasks?.find(({ operation }) => operation === 'export/url')?.result.files?.[0]?.url
    // Each release must accept what the other signed.
    if (end?.status === 'completed') await book.request(`GET ${link}`, 200, () => fetch(link ?? url))
  }

  async function sendVideos(): Promise<void> {
    while (!isOver) {
      const convert = { operation: 'convert', input: upload.id, output_format: 'mp4' }
      const end = await follow({ tasks: { convert } }, keys.videos, 'video')
      // Pause: there is no point in hammering a service that refuses.
      if (!end) await pause(pauseMs)
    }
  }

  /** Creates a job and waits for its end; undefined if it never ended. */
  async function follow(body: object, key: string, kind: 'job' | 'video'): Promise<Job | undefined> {
    const measured = book.begin(kind)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const create = () => fetch(`${url}/v1/process/jobs`, { method: 'POST', headers, body: JSON.stringify(body) })
    const made = await book.request('POST /v1/process/jobs', 201, create)
    // It counts as a rejected request.
    if (!made) return measured.forget()
    const { id } = JSON.parse(made) as Job
    const deadline = performance.now() + patienceMs
    const wait = { authorization: headers.authorization, prefer: 'wait=20' }
    while (performance.now() < deadline) {
      const shown = await book.request(`GET /v1/process/jobs/${id}`, 200, () =>
        fetch(`${url}/v1/process/jobs/${id}`, { headers: wait }),
      )
      if (!shown) {
        await pause(pauseMs)
        continue
      }
      const job = JSON.parse(shown) as Job
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

function describeFailure({ status, tasks = [] }: Job): string {
  const ends = tasks.map(({ operation, status: end, result }: Task) =>
    `${operation} ${end} ${result.reason ?? ''}`.trim(),
  )
  return `is ${status} (${ends.join(', ')})`
}
