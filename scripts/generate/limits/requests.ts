import { limits } from '../../../packages/contract/src/limits.ts'
import { maxFailureTextBytes } from '../../../packages/domain/src/failures.ts'
import { retention } from '../../../packages/domain/src/retention.ts'
import { maxAttempts, maxCrashes } from '../../../packages/domain/src/retry.ts'
import { slowestTransfer } from '../../../packages/domain/src/slowest-transfer.ts'
import { mostInputFiles } from '../../../packages/orchestrator/src/find-inputs.ts'
import { defaultLimits } from '../../../packages/outbound/src/config.ts'
import { defaultOf } from './default-of.ts'
import { bytes, count, type LimitGroup, seconds, unmeasured } from './limit.ts'

const isRefused = 'The request is refused with `invalid_request`.'
const behind = seconds(slowestTransfer.behindMs / 1000).text
const api = await defaultOf('apps/api')
const owner = await defaultOf('packages/orchestrator')

/** Limits of requests, files and records. */
export const requests: LimitGroup = {
  title: 'Requests and files',
  limits: [
    {
      id: 'L-file',
      name: 'Size of a file that is uploaded or imported (`LATHE_MAX_FILE_BYTES`)',
      value: bytes(api('LATHE_MAX_FILE_BYTES')),
      beyond: 'The upload is refused, an import fails with `limit_exceeded`. Split the file.',
      real: 'fileBytes',
    },
    {
      id: 'L-inputs',
      name: 'Files that one task works on',
      value: count(mostInputFiles),
      beyond: 'The task fails with `limit_exceeded`. Name fewer inputs.',
      real: 'resultFiles',
    },
    {
      id: 'L-input-names',
      name: 'Entries of `input`',
      value: count(limits.inputsPerTask),
      beyond: `${isRefused} Merge in several steps.`,
      real: unmeasured.request,
    },
    {
      id: 'L-input-names-job',
      name: 'Entries of `input` of all tasks of a job together (`EDGES_PER_JOB`)',
      value: count(api('EDGES_PER_JOB')),
      beyond: `${isRefused} Create several jobs.`,
      real: unmeasured.request,
    },
    {
      id: 'L-open',
      name: 'Open tasks of one owner (`TASKS_OPEN_PER_OWNER`)',
      value: count(owner('TASKS_OPEN_PER_OWNER')),
      beyond: 'The request is refused with `rate_limited`. Wait until some tasks have ended.',
      real: unmeasured.request,
    },
    {
      id: 'L-dependants',
      name: 'Tasks that wait for one open task (`DEPENDANTS_PER_TASK`)',
      value: count(owner('DEPENDANTS_PER_TASK')),
      beyond: `${isRefused} Wait until the task has ended: a task that has ended may be the input of any number of tasks.`,
      real: unmeasured.request,
    },
    {
      id: 'L-stored',
      name: 'Bytes that the files of one owner take in storage (`STORED_BYTES_PER_OWNER`)',
      value: bytes(owner('STORED_BYTES_PER_OWNER')),
      beyond:
        'An upload is refused with `out_of_storage`, and a task fails with it. Delete tasks whose files you no longer need, or wait until files have expired. A file may count up to 5 minutes longer than it is kept.',
      real: unmeasured.request,
    },
    {
      id: 'L-new-tasks',
      name: 'New tasks of one owner per minute (`RATE_LIMIT_TASKS`)',
      value: count(api('RATE_LIMIT_TASKS')),
      beyond: 'The request is refused with `rate_limited` and `Retry-After`.',
      real: unmeasured.request,
    },
    {
      id: 'L-base64',
      name: 'Characters of base64 data in `import/base64`',
      value: count(limits.base64Chars),
      beyond: `${isRefused} Upload the file instead.`,
      real: unmeasured.request,
    },
    {
      id: 'L-body',
      name: 'Size of a JSON body',
      value: bytes(limits.bodyBytes),
      beyond: 'The request is refused with `body_too_large`. Send several smaller requests.',
      real: unmeasured.request,
    },
    {
      id: 'L-body-files',
      name: 'Size of the JSON body of a job or of `import/base64`',
      value: bytes(limits.inlineBodyBytes),
      beyond: 'The request is refused with `body_too_large`. Upload files instead of sending them as base64.',
      real: unmeasured.request,
    },
    {
      id: 'L-body-values',
      name: 'Values in a JSON body',
      value: count(limits.bodyValues),
      beyond: `${isRefused} Send several smaller requests.`,
      real: unmeasured.request,
    },
    {
      id: 'L-body-fields',
      name: 'Fields of all objects in a JSON body',
      value: count(limits.bodyKeys),
      beyond: `${isRefused} Send several smaller requests.`,
      real: unmeasured.request,
    },
    {
      id: 'L-nesting',
      name: 'Levels of a JSON body',
      value: count(limits.bodyNesting),
      beyond: isRefused,
      real: unmeasured.request,
    },
    {
      id: 'L-tasks',
      name: 'Tasks of a job',
      value: count(limits.tasksPerJob),
      beyond: `${isRefused} Create several jobs.`,
      real: unmeasured.request,
    },
    {
      id: 'L-row',
      name: 'Tasks of a job that wait for one another in a row',
      value: count(limits.tasksInRow),
      beyond: `${isRefused} Create a second job with the results of the first.`,
      real: unmeasured.request,
    },
    {
      id: 'L-rate',
      name: 'Requests per minute with one API key (`RATE_LIMIT_PER_KEY`)',
      value: count(api('RATE_LIMIT_PER_KEY')),
      beyond: 'The request is refused with `rate_limited`. Wait for the seconds in `Retry-After`.',
      real: unmeasured.request,
    },
    {
      id: 'L-rate',
      name: 'Requests per minute from one address without a key (`RATE_LIMIT_PER_ADDRESS`)',
      value: count(api('RATE_LIMIT_PER_ADDRESS')),
      beyond: 'The request is refused with `rate_limited`. Wait for the seconds in `Retry-After`.',
      real: unmeasured.request,
    },
    {
      id: 'L-redirects',
      name: 'Redirects of an import',
      value: count(defaultLimits.maxRedirects),
      beyond: 'The import fails with `source_refused`. Use the final URL.',
      real: unmeasured.network,
    },
    {
      id: 'L-source-rate',
      name: 'Bytes per second that a source must send, over any minute',
      value: bytes(defaultLimits.minRate),
      beyond: 'A slower import fails with `source_unreachable`, after three attempts. Use a faster host.',
      real: unmeasured.network,
    },
    {
      id: 'L-transfer-rate',
      name: 'Bytes per second that the other side of an import or export must send or take',
      value: bytes(slowestTransfer.bytesPerSecond),
      beyond: `A transfer that is ${behind} behind fails with \`limit_exceeded\`: one of a known size may take its bytes at this rate and ${behind}. If all slots of a worker are taken and others wait, transfers below 128 KiB/s are queued again. Transfer the file another way.`,
      real: unmeasured.network,
    },
    {
      id: 'L-crashes',
      name: 'Crashes of engines that one file may cause',
      value: count(maxCrashes),
      beyond:
        'With that crash the task fails with `input_quarantined`, and so do others with the same file for 24 hours. Repair the file.',
      real: unmeasured.request,
    },
    {
      id: 'L-crashes',
      name: 'Attempts at a task whose cause of failure may pass',
      value: count(maxAttempts),
      beyond: 'The task fails. Create it again later.',
      real: unmeasured.request,
    },
    {
      id: 'L-life',
      name: 'Life of a file',
      value: seconds(retention.fileMs / 1000),
      beyond: 'The file is deleted, and its links end with `link_expired`. Convert it again.',
      real: unmeasured.time,
    },
    {
      id: 'L-life',
      name: 'Life of the record of a task or job',
      value: seconds(retention.recordMs / 1000),
      beyond: 'The record is deleted, and its id is answered with `not_found`.',
      real: unmeasured.time,
    },
    {
      id: 'L-message',
      name: 'Bytes of the message of a failed task',
      value: count(maxFailureTextBytes),
      beyond: 'The message is cut.',
      real: 'failureBytes',
    },
  ],
}
