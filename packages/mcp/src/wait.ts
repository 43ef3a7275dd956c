import type { JobHandle, Lathe } from '@lathe/sdk'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { withText } from './inline-text.ts'
import { toJobResult } from './results.ts'
import type { Upload } from './uploads.ts'

/** A call of a tool, which ends before clients give up. */
export interface Call {
  readonly ctx: ServerContext
  /** Aborts when the client cancels the call, or its time is over. */
  readonly signal: AbortSignal
  /** Whether its time is over. */
  isOver(): boolean
  /** The arguments, for errors. */
  readonly args: object
}

// The last question of a call whose time is over.
const lastAnswerMs = 5_000
const cancelMs = 5_000
// Of the progress of a job with local files, in percent.
const uploadPercent = 50

/** Waits for a job as long as a call may take, and reports its progress. */
export async function wait(lathe: Lathe, job: JobHandle, call: Call, upload?: Upload): Promise<CallToolResult> {
  const report = createReport(call.ctx)
  const base = upload ? uploadPercent : 0
  try {
    if (upload) {
      upload.onShare = (share) => report(share * uploadPercent)
      await orAborted(upload.ended, call.signal)
    }
    await job.done({
      signal: call.signal,
      evenIfFailed: true,
      onEvent({ type, data }) {
        if (type !== 'task.progress' || !('task' in data)) return
        report(base + ((100 - base) * (data.task.progress?.percent ?? 0)) / 100)
      },
    })
  } catch (error) {
    call.ctx.mcpReq.signal.throwIfAborted()
    if (!call.isOver()) throw error
    const now = await lathe.jobs.get(job.id, { signal: AbortSignal.timeout(lastAnswerMs) }).catch(() => job)
    return toJobResult(now, call.args, upload)
  } finally {
    if (upload) upload.onShare = undefined
  }
  const result = toJobResult(job, call.args, upload)
  const wantsText = 'inline' in call.args && call.args.inline === true
  return wantsText && job.now.status === 'completed' ? withText(result, job.files(), call.signal) : result
}

/** Cancels a job that a call has created if the client cancels the call. */
export async function cancelWith(
  { ctx }: Call,
  job: JobHandle,
  upload: Upload | undefined,
  act: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await act()
  } catch (error) {
    if (ctx.mcpReq.signal.aborted) {
      upload?.abort()
      await job.cancel({ timeoutMs: cancelMs }).catch(() => undefined)
    }
    throw error
  }
}

/** Sends progress to a client that asked for it; it must grow with each notification. */
function createReport({ mcpReq }: ServerContext): (percent: number) => void {
  const progressToken = mcpReq._meta?.progressToken
  let last = -1
  return (percent) => {
    const progress = Math.round(percent)
    if (progressToken === undefined || progress <= last) return
    last = progress
    const params = { progressToken, progress, total: 100 }
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}

async function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
