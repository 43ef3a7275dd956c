import type { Operation } from '@lathe/operations'

/** What a task takes its files from: a task of the same job, by name, or an earlier task, by id. */
export interface ParsedInput {
  readonly kind: 'sibling' | 'task'
  /** The task's name, or its id in lower case. */
  readonly value: string
  /** Where it stands in the request, for errors. */
  readonly path: string
  /** The field it was named in, where that is not `input`. */
  readonly role?: string
}

/** A task as a valid request describes it. */
export interface ParsedTask {
  readonly name: string
  readonly operation: Operation
  /** Those of `input` first, then one for each role that was given, in the order of the operation's definition. */
  readonly inputs: readonly ParsedInput[]
  /** What to work with: formats normalised, secrets in clear. Never shown or logged. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** What its owner is shown: as sent, without `operation` and `input`, secrets masked, base64 content emptied. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The base64 text of an `import/base64`. */
  readonly content?: string
}

/** A job as a valid request describes it. */
export interface ParsedJob {
  readonly tag: string | null
  /** Where its events are told to. In clear: never shown or logged. */
  readonly webhookUrl: string | null
  /** In the order of the request. */
  readonly tasks: readonly ParsedTask[]
}

/** Where a task definition stands. */
export interface TaskPlace {
  /** Inside a job, where inputs may be names and some fields are allowed that are not elsewhere. */
  readonly inJob: boolean
  /** Where the definition stands in the request, such as `tasks.a`; empty for a body of its own. */
  readonly path: string
  /** The task's name inside its job; outside one, a task is named after its operation. */
  readonly name?: string
}
