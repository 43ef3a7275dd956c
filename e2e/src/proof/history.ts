/** What a client asks for. */
export type Call = 'create' | 'upload' | 'cancel' | 'delete' | 'read'

/** A request, noted before it is sent: without an answer in the history its outcome is unknown. */
export interface Sent {
  readonly kind: 'sent'
  readonly at: number
  /** Numbers the requests of a run. */
  readonly call: number
  readonly op: Call
  /** A creation: the text by which the record knows it again, the tag of a job or the filename of a task. */
  readonly marker?: string
  /** The Idempotency-Key it was sent with. */
  readonly key?: string
  /** The SHA-256 of the file each task must end with, by the task's name. */
  readonly expects?: Readonly<Record<string, string>>
  /** Anything but a creation: the id of the task or job it is about. */
  readonly subject?: string
}

/** A task as an answer shows it. */
export interface SeenTask {
  readonly id: string
  readonly name: string
  readonly status: string
}

/** The answer to a request. */
export interface Answered {
  readonly kind: 'answered'
  readonly at: number
  readonly call: number
  readonly status: number
  /** The job or task the answer shows, its state, and its tasks. */
  readonly id?: string
  readonly state?: string
  readonly tasks?: readonly SeenTask[]
  /** Whether it says that an earlier request with the same key did the work. */
  readonly replayed?: boolean
  readonly errorCode?: string
}

/** A request that got no answer, or only part of one: whether it took effect is not known. */
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

/** The service told a listener that it has sent everything. */
export interface Over {
  readonly kind: 'over'
  readonly listener: number
  readonly subject: string
}

/** The bytes behind the link of a task's file. */
export interface Downloaded {
  readonly kind: 'downloaded'
  readonly task: string
  readonly sha256: string
}

/** What was done to the service, and how long it took to work again. */
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
