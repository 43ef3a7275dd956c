import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { createLineReader } from '../line-reader.ts'

/**
 * The messages between the worker and its engine host, one JSON object per line:
 *
 *   host    {"hello":{…}}                                     once, when it can serve
 *   host    {"served":{"runner":"images","by":"warm"}}          whenever a warm runner took a call
 *   worker  {"id":7,"op":"folder"}                            creates a job folder; "remove" removes one
 *   worker  {"id":8,"op":"run","folder":"job-1","step":{…}}   or "call" for a warm runner
 *   host    {"id":8,"lines":["…"]} {"id":8,"progress":0.4}    any number of times
 *   host    {"id":8,"turn":"wanted","nth":1}                  an instance is ready: may it begin?
 *   worker  {"id":8,"op":"turn","nth":1}                      it may
 *   host    {"id":8,"turn":"over","nth":1}
 *   worker  {"id":8,"op":"stop"}
 *   host    {"id":8,"done":{…}}                               or "stopped", or "error"
 *
 * Files are not sent: they are in the folder, which both can reach. Each side treats the other as hostile.
 */
export const maxFrameBytes = 16 * 1024 ** 2

const id = Type.Integer({ minimum: 1 })
const folder = Type.String({ pattern: '^job-[0-9]{1,15}$' })
const json = Type.Record(Type.String(), Type.Unknown())
const limits = Type.Object({
  timeMs: Type.Number({ minimum: 0 }),
  memoryBytes: Type.Number({ minimum: 0 }),
  outputBytes: Type.Number({ minimum: 0 }),
  silenceMs: Type.Optional(Type.Number({ minimum: 0 })),
})
const step = Type.Object({
  program: Type.String(),
  args: Type.Array(Type.String()),
  modules: Type.Optional(Type.Record(Type.String(), Type.String())),
  limits,
  profile: Type.Optional(Type.String()),
})

/** Requests of the worker. */
export const requestSchema = Type.Union([
  Type.Object({ id, op: Type.Literal('folder') }),
  Type.Object({ id, op: Type.Literal('remove'), folder }),
  Type.Object({ id, op: Type.Literal('run'), folder, step, givesWay: Type.Boolean() }),
  Type.Object({
    ...{ id, op: Type.Literal('call'), folder, limits },
    ...{ runner: Type.String(), owner: Type.String(), request: json },
    ...{ takesPermits: Type.Boolean(), givesWay: Type.Boolean() },
  }),
  Type.Object({ id, op: Type.Literal('turn'), nth: id }),
  Type.Object({ id, op: Type.Literal('stop') }),
])

/** Replies of the host. */
export const replySchema = Type.Union([
  Type.Object({
    hello: Type.Object({
      ...{ level: Type.Integer({ minimum: 0, maximum: 3 }), home: Type.String(), report: json },
      lacking: Type.Array(Type.String()),
    }),
  }),
  Type.Object({ served: Type.Object({ runner: Type.String(), by: Type.Enum(['warm', 'spare', 'wait']) }) }),
  Type.Object({ id, lines: Type.Array(Type.String()) }),
  Type.Object({ id, progress: Type.Number({ minimum: 0, maximum: 1 }) }),
  Type.Object({ id, turn: Type.Union([Type.Literal('wanted'), Type.Literal('over')]), nth: id }),
  Type.Object({ id, done: json }),
  Type.Object({ id, stopped: Type.Literal(true) }),
  Type.Object({ id, error: Type.Object({ message: Type.String(), code: Type.Optional(Type.String()) }) }),
])

export type HostRequest = Static<typeof requestSchema>
export type HostReply = Static<typeof replySchema>

/** One message as it is sent. */
export function toFrame(message: HostRequest | HostReply): string {
  return `${JSON.stringify(message)}\n`
}

/** Reads messages of one schema from a stream. Throws if a message breaks the protocol. */
export function createFrameReader<T extends TSchema>(schema: T): (chunk: Buffer) => readonly Static<T>[] {
  const reader = createLineReader(maxFrameBytes)
  const validator = Compile(schema)
  return (chunk) => {
    const lines = reader.push(chunk)
    if (lines === 'overlong') throw new Error('a message between worker and engine host is too long')
    return lines.map((line) => {
      const message: unknown = JSON.parse(line)
      if (!validator.Check(message)) throw new Error('a message between worker and engine host breaks the protocol')
      return message as Static<T>
    })
  }
}
