import { cleanDetail, cleanText } from './engine-text.ts'

/** The eight task error codes of the spec: a closed list that clients may rely on. */
export type TaskErrorCode =
  | 'upload_timeout'
  | 'engine_timeout'
  | 'out_of_conversion_minutes'
  | 'out_of_conversion_minutes_per_task'
  | 'user_deleted_task'
  | 'insufficient_permission'
  | 'invalid_credentials'
  | 'processing_failed'

interface FailureKind {
  readonly errorCode: TaskErrorCode
  /** Whether the cause may be temporary, so that another attempt makes sense. */
  readonly retry: boolean
  /** What went wrong, why and what to do, in words that the task's owner may see. */
  readonly text: string
}

/** Why a task failed. Stored with the task and shown as `result.reason`: a code is never renamed. */
export const failures = {
  input_failed: fails('An input task failed. Fix the cause reported there, then create this task again.'),
  input_canceled: fails('An input task was canceled. Create it again, then this task.'),
  input_deleted: {
    errorCode: 'user_deleted_task',
    retry: false,
    text: 'An input task was deleted before this task could use its files.',
  },
  input_expired: fails('The files of an input task have expired. Import them again.'),
  input_damaged: fails('The input file is damaged or incomplete. Check that it opens, then import it again.'),
  input_encrypted: fails('The PDF is protected by a password. Set the option password.'),
  input_quarantined: fails(
    'This input crashed the converter twice and will not be tried again. Check that the file opens, then import a repaired copy.',
  ),
  unsupported: fails('No engine can do this with this input. See the format and options queries for what is possible.'),
  format_disabled: fails(
    'The administrators of this service have disabled this conversion. Choose another format, or ask them to enable it.',
  ),
  source_unreachable: mayPass(
    'The source could not be reached, or the connection was lost. Check the URL or host name and try again.',
  ),
  source_not_found: fails('The source reports that there is no such file. Check the URL or path.'),
  source_refused: fails('The source refused the request. Check the URL and the permissions it requires.'),
  url_forbidden: fails('This service may not connect to this URL or host. Use a public one.'),
  source_unauthorized: {
    errorCode: 'invalid_credentials',
    retry: false,
    text: 'The source did not accept the credentials. Check them and create the task again.',
  },
  source_forbidden: {
    errorCode: 'insufficient_permission',
    retry: false,
    text: 'The credentials do not allow reading this file. Grant the permission and create the task again.',
  },
  host_key_changed: fails(
    'The server presented another host key than expected, so no credentials were sent to it. If you know why it changed, set the new key as host_key.',
  ),
  limit_exceeded: fails('The file exceeds a limit of this service.'),
  no_files: fails('The input tasks contain no files.'),
  engine_crashed: mayPass('The converter stopped unexpectedly.'),
  output_missing: fails('The converter ended without its output.'),
  engine_timeout: {
    errorCode: 'engine_timeout',
    retry: false,
    text: 'The task took too long and was stopped. Try a smaller file or simpler options.',
  },
  out_of_minutes: {
    errorCode: 'out_of_conversion_minutes',
    retry: false,
    text: 'The conversion minutes of this month are used up. They are renewed on the first of the next month (UTC). The operators of this service can grant more.',
  },
  out_of_minutes_per_task: {
    errorCode: 'out_of_conversion_minutes_per_task',
    retry: false,
    text: 'The task exceeded the conversion minutes that the plan allows for one task, and was stopped. Try a smaller file or simpler options.',
  },
  out_of_storage: fails(
    'Your storage is full. Delete tasks whose files you no longer need, or wait: files are deleted 4 hours after their task was created.',
  ),
  upload_timeout: {
    errorCode: 'upload_timeout',
    retry: false,
    text: 'No file was uploaded in time. Create a new upload task and send the file to its form.',
  },
  secrets_unreadable: mayPass(
    'The credentials of this task cannot be decrypted. Create the task again with its credentials. If that fails too, contact the operators of this service.',
  ),
  unwritable: fails(
    'The converter returned text that this service cannot store. Contact the operators of this service.',
  ),
  internal: mayPass('Something broke on our side. Try again later.'),
} as const satisfies Record<string, FailureKind>

export type FailureCode = keyof typeof failures

export interface Failure {
  readonly kind: 'failure'
  readonly code: FailureCode
  /** Shown to the owner instead of the table's text where more is known. It contains no path, host or engine output. */
  readonly text?: string
  /** For operators only: may contain engine output, never sent to a client. */
  readonly detail?: string
}

/** The most bytes (UTF-8) of a failure's text for the owner: engine output has no limit. */
export const maxFailureTextBytes = 512

/** Creates a failure. Engine text in it is cleaned and cut so that it can be stored. */
export function failure(code: FailureCode, { text, detail }: { text?: string; detail?: string } = {}): Failure {
  return {
    kind: 'failure',
    code,
    ...(text !== undefined && { text: cleanText(text, maxFailureTextBytes) }),
    ...(detail !== undefined && { detail: cleanDetail(detail) }),
  }
}

/** The same failure, with the file that it is about: `File 2`. */
export function nameFile(file: string, { code, text = failures[code].text, detail }: Failure): Failure {
  return failure(code, { text: `${file}: ${text}`, ...(detail !== undefined && { detail }) })
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'failure'
}

function fails(text: string) {
  return { errorCode: 'processing_failed', retry: false, text } as const
}

function mayPass(text: string) {
  return { errorCode: 'processing_failed', retry: true, text } as const
}
