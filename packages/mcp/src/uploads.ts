import { type JobHandle, mayUploadLater } from '@lathe/sdk'

/** A local file for an upload task of a job. */
export interface LocalFile {
  readonly task: string
  readonly path: string
}

/** The upload of the local files of a job. */
export interface Upload {
  /** Resolves when all files are sent, or when the upload has failed. */
  readonly ended: Promise<void>
  /** How much is sent, from 0 to 1. */
  readonly share: number
  /** Why it failed. */
  readonly failure: string | undefined
  /** Called when more is sent, for whoever waits at the moment. */
  onShare: ((share: number) => void) | undefined
  /** Stops it and cancels the job. */
  abort(): void
}

/** The uploads of a process. They go on after the call that started them has returned. */
export interface Uploads {
  start(job: JobHandle, files: readonly LocalFile[]): Upload
  find(job: string): Upload | undefined
  /** Aborts all; resolves when their jobs are canceled. */
  stop(): Promise<void>
}

// Each reads a file and holds a part of it in memory.
const mostAtOnce = 16
// Ended ones are remembered, so that get_job can tell why one failed.
const mostRemembered = 100
const cancelMs = 5_000

export function createUploads(): Uploads {
  const uploads = new Map<string, Upload & { isOver: boolean }>()
  return {
    start(job, files) {
      const running = [...uploads.values()].filter(({ isOver }) => !isOver)
      if (running.length >= mostAtOnce)
        throw new Error(`${mostAtOnce} uploads are running. Wait until one has ended, and call again.`)
      for (const [id, { isOver }] of uploads) if (isOver && uploads.size >= mostRemembered) uploads.delete(id)
      const upload = startUpload(job, files)
      uploads.set(job.id, upload)
      return upload
    },
    find: (job) => uploads.get(job),
    async stop() {
      for (const upload of uploads.values()) upload.abort()
      await Promise.all([...uploads.values()].map(({ ended }) => ended))
    },
  }
}

function startUpload(job: JobHandle, files: readonly LocalFile[]): Upload & { isOver: boolean } {
  const stop = new AbortController()
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const upload = {
    ended,
    share: 0,
    failure: undefined as string | undefined,
    onShare: undefined as Upload['onShare'],
    isOver: false,
    abort: () => stop.abort(new Error('The upload was stopped.')),
  }
  async function send(): Promise<void> {
    for (const [n, { task, path }] of files.entries()) {
      const onProgress = (sent: number, size: number) => {
        upload.share = (n + sent / (size || 1)) / files.length
        upload.onShare?.(upload.share)
      }
      await job.upload(task, path, { signal: stop.signal, onProgress })
    }
  }
  void send()
    .catch(async (error: unknown) => {
      upload.failure = error instanceof Error ? error.message : String(error)
      // An outage, which the SDK has waited for, is no reason to cancel what the caller wants.
      if (!stop.signal.aborted && mayUploadLater(error)) return
      // Without its files the job would wait until it expires.
      await job.cancel({ timeoutMs: cancelMs }).catch(() => undefined)
    })
    .finally(() => {
      upload.isOver = true
      resolve()
    })
  return upload
}
