import { type Failure, failure } from '@lathe/domain'

/**
 * The messages between the worker and a runner, one JSON object per line:
 *
 *   runner  {"ready":true}                                   once, when it can serve
 *   worker  {"id":7,"dir":"/job/7","request":{…}}
 *   runner  {"id":7,"progress":0.4}                          any number of times
 *   runner  {"id":7,"ok":true,"result":{…}}                  or {"id":7,"ok":false,"code":…,"text":…,"detail":…}
 *
 * A runner that finds itself unable to serve before it begins a request exits with status `unservedExit`. The runner is
 * inside the sandbox and may be compromised: any other message breaks the protocol.
 */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly id: number; readonly share: number }
  | { readonly kind: 'done'; readonly id: number; readonly result: JsonObject }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }

export type JsonObject = Readonly<Record<string, unknown>>

/** The exit status of a runner that has not begun its last request: EX_TEMPFAIL of sysexits.h. */
export const unservedExit = 75

/** The longest line a runner may write. */
export const maxReplyLength = 1024 * 1024

const runnerCodes = ['input_damaged', 'input_encrypted', 'unsupported', 'limit_exceeded', 'engine_crashed'] as const

/** The line that sends a runner one request. */
export function requestLine(id: number, dir: string, request: JsonObject): string {
  return `${JSON.stringify({ id, dir, request })}\n`
}

/** Parses one line of a runner. Returns undefined if it breaks the protocol. */
export function parseReply(line: string): Reply | undefined {
  const value = parseObject(line)
  if (!value) return undefined
  if (value.ready === true) return { kind: 'ready' }
  const { id } = value
  if (typeof id !== 'number') return undefined
  if (typeof value.progress === 'number') return toProgress(id, value.progress)
  if (value.ok === true) return isObject(value.result) ? { kind: 'done', id, result: value.result } : undefined
  return value.ok === false ? toFailed(id, value) : undefined
}

function toProgress(id: number, progress: number): Reply | undefined {
  return progress >= 0 && progress <= 1 ? { kind: 'progress', id, share: progress } : undefined
}

function toFailed(id: number, value: JsonObject): Reply | undefined {
  const code = runnerCodes.find((known) => known === value.code)
  if (!code) return undefined
  const text = typeof value.text === 'string' ? { text: plain(value.text) } : {}
  const detail = typeof value.detail === 'string' ? { detail: value.detail } : {}
  return { kind: 'failed', id, failure: failure(code, { ...text, ...detail }) }
}

// The owner sees this text: keep it to one short line, whatever the runner sent.
function plain(text: string): string {
  return text.replace(/\p{C}+/gu, ' ').trim()
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
