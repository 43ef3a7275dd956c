/** The kinds of requests. */
export type Call = 'create' | 'upload' | 'cancel' | 'delete' | 'read'

/** A request, recorded before it is sent: without a response in the history its outcome is unknown. */
export interface Sent {
  readonly kind: 'sent'
  readonly at: number
  /** Numbers the requests of a run. */
  readonly call: number
  readonly op: Call
  /** For a creation: the text that identifies it in the database, the tag of a job or the filename of a task. */
  readonly marker?: string
  /** The Idempotency-Key it was sent with. */
  readonly key?: string
  /** The SHA-256 that the file of each task must have, by the task's name. */
  readonly expects?: Readonly<Record<string, string>>
  /** For everything except a creation: the id of its task or job. */
  readonly subject?: string
}

/** A task in a response. */
export interface SeenTask {
  readonly id: string
  readonly name: string
  readonly status: string
}

/** The response to a request. */
export interface Answered {
  readonly kind: 'answered'
  readonly at: number
  readonly call: number
  readonly status: number
  /** The job or task in the response, its state, and its tasks. */
  readonly id?: string
  readonly state?: string
  readonly tasks?: readonly SeenTask[]
  /** Whether it reports that an earlier request with the same key did the work. */
  readonly replayed?: boolean
  readonly errorCode?: string
}

/** A request with no response, or only part of one: whether it took effect is unknown. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly at: number
  readonly call: number
  readonly why: string
}

/** An event as one listener received it. */
export interface Heard {
  readonly kind: 'heard'
  readonly listener: number
  readonly subject: string
  readonly seq: number
  readonly type: string
}

/** The service reported to a listener that it has sent everything. */
export interface Over {
  readonly kind: 'over'
  readonly listener: number
  readonly subject: string
}

/** The downloaded bytes of a task's file. */
export interface Downloaded {
  readonly kind: 'downloaded'
  readonly task: string
  readonly sha256: string
}

/** A fault, and how long the service took to recover. */
export interface Harm {
  readonly kind: 'fault'
  readonly at: number
  readonly fault: string
  readonly target: string
  readonly tookMs: number
  /** From the end of the fault until a new task completed. */
  readonly recoveryMs: number
}

export type Entry = Sent | Answered | Unknown | Heard | Over | Downloaded | Harm
