import type { Operation, Payload } from '@lathe/operations'

/** A source of a task's files: a task of the same job, by name, or an earlier task, by id. */
export interface ParsedInput {
  readonly kind: 'sibling' | 'task'
  /** The task's name, or its id in lower case. */
  readonly value: string
  /** Its path in the request, for errors. */
  readonly path: string
  /** The field that named it, if not `input`. */
  readonly role?: string
}

/** A task as a valid request describes it. */
export interface ParsedTask {
  readonly name: string
  readonly operation: Operation
  /** First those of `input`, then one for each given role, in the order of the operation's definition. */
  readonly inputs: readonly ParsedInput[]
  /** The values to work with: formats normalized, secrets in plain text. Never shown or logged. */
  readonly parameters: Payload
  /** What the owner sees: as sent, without `operation` and `input`, secrets masked, base64 content emptied. */
  readonly payload: Payload
  /** The parameters that the payload shows masked, in plain text. Never shown or logged. */
  readonly secrets?: Payload
  /** The base64 text of an `import/base64`. */
  readonly content?: string
}

/** A job as a valid request describes it. */
export interface ParsedJob {
  readonly tag: string | null
  /** The URL that receives its events, in plain text: never shown or logged. */
  readonly webhookUrl: string | null
  /** In the order of the request. */
  readonly tasks: readonly ParsedTask[]
}

/** The place of a task definition. */
export interface TaskPlace {
  /** Whether it is inside a job, where inputs may be names and more fields are allowed. */
  readonly inJob: boolean
  /** The path of the definition in the request, such as `tasks.a`; empty if it is the whole body. */
  readonly path: string
  /** The task's name inside its job; outside one, a task is named after its operation. */
  readonly name?: string
}
