import { createLineReader } from './line-reader.ts'
import {
  type JsonObject,
  maxReplyLength,
  parseReply,
  type Reply,
  requestLine,
  unservedExit,
} from './runner-protocol.ts'
import type { SandboxedProcess } from './start-process.ts'

/** A runner's answer to a request. 'broken' is reported only when no process of the runner is left. */
export type Answer = Extract<Reply, { kind: 'done' | 'failed' }> | Broken

interface Broken {
  readonly kind: 'broken'
  readonly detail: string
  readonly outOfMemory: boolean
  /** Whether the runner reports that it had not begun, and sent nothing that contradicts this. */
  readonly isUnserved: boolean
}

export interface Question {
  readonly id: number
  readonly dir: string
  readonly request: JsonObject
  readonly onProgress: (share: number) => void
}

/** Talks to one runner, one request at a time. A runner that sends anything out of turn is killed. */
export interface Conversation {
  /** True once the runner can serve, false if it ended before. */
  readonly ready: Promise<boolean>
  ask(question: Question): Promise<Answer>
}

/** Opens the conversation with a runner that was just started. */
export function createConversation(process: SandboxedProcess): Conversation {
  const reader = createLineReader(maxReplyLength)
  const ready = Promise.withResolvers<boolean>()
  const broken = Promise.withResolvers<Answer>()
  let isReady = false
  let hasBegun = false
  let violation: string | undefined
  let current: { question: Question; answer: (answer: Answer) => void } | undefined

  function reportViolation(what: string): void {
    violation ??= what
    process.kill()
  }

  function hear(line: string): void {
    const reply = parseReply(line)
    if (!reply) reportViolation('a line that is no reply')
    else if (reply.kind === 'ready') greet()
    else if (reply.id !== current?.question.id) reportViolation('a reply nobody asked for')
    else if (reply.kind === 'progress') {
      hasBegun = true
      current.question.onProgress(reply.share)
    } else {
      current.answer(reply)
      current = undefined
    }
  }

  function greet(): void {
    if (isReady) reportViolation('ready twice')
    isReady = true
    ready.resolve(true)
  }

  process.stdout.on('data', (chunk: Buffer) => {
    if (violation !== undefined) return
    const lines = reader.push(chunk)
    if (lines === 'overlong') return reportViolation('a line too long')
    for (const line of lines) if (violation === undefined) hear(line)
  })

  process.ended.then(({ code, signal, outOfMemory }) => {
    const reason = violation ? `the runner broke the protocol: ${violation}` : `the runner ended: ${signal ?? code}`
    ready.resolve(false)
    const isUnserved = code === unservedExit && violation === undefined && !hasBegun
    broken.resolve({ kind: 'broken', detail: `${reason}\n${process.stderr.text()}`, outOfMemory, isUnserved })
  })

  return {
    ready: ready.promise,
    ask(question) {
      const answer = Promise.withResolvers<Answer>()
      current = { question, answer: answer.resolve }
      hasBegun = false
      process.stdin?.write(requestLine(question.id, question.dir, question.request))
      return Promise.race([answer.promise, broken.promise])
    },
  }
}
