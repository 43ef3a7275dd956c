import { limits } from '../../../packages/contract/src/limits.ts'
import { maxFailureTextBytes } from '../../../packages/domain/src/failures.ts'
import { retention } from '../../../packages/domain/src/retention.ts'
import { maxAttempts, maxCrashes } from '../../../packages/domain/src/retry.ts'
import { mostInputFiles } from '../../../packages/orchestrator/src/find-inputs.ts'
import { defaultLimits } from '../../../packages/outbound/src/config.ts'
import { defaultOf } from './default-of.ts'
import { bytes, count, type LimitGroup, seconds, threeSteps, unmeasured } from './limit.ts'

const file = 'e2e/src/attacks/limits/requests.test.ts'
const bodies = 'packages/outbound/src/body.int.test.ts'
const rates = 'apps/api/src/rate-limit.int.test.ts: the rate limit'
const rules = 'packages/domain/src/rules.test.ts'
const isRefused = 'The request is refused with `invalid_request`.'
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
      tests: [
        'apps/api/src/routes/files/files.int.test.ts: uploading > refuses a file past the limit with 400 and leaves the form usable',
        `${bodies}: sizes > accepts a file of exactly the limit and refuses one more byte, with and without Content-Length`,
        `${bodies}: sizes > stops an endless chunked answer at the limit`,
      ],
      real: 'fileBytes',
    },
    {
      id: 'L-inputs',
      name: 'Files that one task works on',
      value: count(mostInputFiles),
      beyond: 'The task fails with `limit_exceeded`. Name fewer inputs.',
      tests: [
        ...threeSteps('packages/orchestrator/src/inputs.int.test.ts', 'files of one task, 20,000'),
        'packages/orchestrator/src/inputs.int.test.ts: the inputs of a task > have a maximum number of files, however often one is named (C10)',
      ],
      real: 'resultFiles',
    },
    {
      id: 'L-input-names',
      name: 'Entries of `input`',
      value: count(limits.inputsPerTask),
      beyond: `${isRefused} Merge in several steps.`,
      tests: threeSteps(file, 'entries of input, 1,000'),
      real: unmeasured.request,
    },
    {
      id: 'L-input-names-job',
      name: 'Entries of `input` of all tasks of a job together (`EDGES_PER_JOB`)',
      value: count(api('EDGES_PER_JOB')),
      beyond: `${isRefused} Create several jobs.`,
      tests: [
        ...threeSteps(file, 'entries of input in a job, 2,000'),
        ...threeSteps('apps/api/src/routes/jobs/create-job.int.test.ts', 'edges of a job, three'),
      ],
      real: unmeasured.request,
    },
    {
      id: 'L-open',
      name: 'Open tasks of one owner (`TASKS_OPEN_PER_OWNER`)',
      value: count(owner('TASKS_OPEN_PER_OWNER')),
      beyond: 'The request is refused with `rate_limited`. Wait until some tasks have ended.',
      tests: threeSteps('packages/orchestrator/src/owner-limits.int.test.ts', 'open tasks of one owner, three'),
      real: unmeasured.request,
    },
    {
      id: 'L-dependants',
      name: 'Tasks that wait for one open task (`DEPENDANTS_PER_TASK`)',
      value: count(owner('DEPENDANTS_PER_TASK')),
      beyond: `${isRefused} Wait until the task has ended: a task that has ended may be the input of any number of tasks.`,
      tests: threeSteps('packages/orchestrator/src/owner-limits.int.test.ts', 'tasks that wait for one task, three'),
      real: unmeasured.request,
    },
    {
      id: 'L-stored',
      name: 'Bytes that the files of one owner take in storage (`STORED_BYTES_PER_OWNER`)',
      value: bytes(owner('STORED_BYTES_PER_OWNER')),
      beyond:
        'An upload is refused with `out_of_storage`, and a task fails with it. Delete tasks whose files you no longer need, or wait until files have expired. A file may count up to 5 minutes longer than it is kept.',
      tests: threeSteps('packages/orchestrator/src/stored-bytes.int.test.ts', 'S9: stored bytes of one owner'),
      real: unmeasured.request,
    },
    {
      id: 'L-new-tasks',
      name: 'New tasks of one owner per minute (`RATE_LIMIT_TASKS`)',
      value: count(api('RATE_LIMIT_TASKS')),
      beyond: 'The request is refused with `rate_limited` and `Retry-After`.',
      tests: threeSteps('apps/api/src/rate-limit.int.test.ts', 'new tasks per minute, five'),
      real: unmeasured.request,
    },
    {
      id: 'L-base64',
      name: 'Characters of base64 data in `import/base64`',
      value: count(limits.base64Chars),
      beyond: `${isRefused} Upload the file instead.`,
      tests: threeSteps(file, 'characters of base64 data, 1,572,864'),
      real: unmeasured.request,
    },
    {
      id: 'L-body',
      name: 'Size of a JSON body',
      value: bytes(limits.bodyBytes),
      beyond: 'The request is refused with `body_too_large`. Upload files instead of sending them as base64.',
      tests: threeSteps('e2e/src/attacks/requests.test.ts', 'bytes of a JSON body, 16 MiB'),
      real: unmeasured.request,
    },
    {
      id: 'L-nesting',
      name: 'Levels of a JSON body',
      value: count(limits.bodyNesting),
      beyond: isRefused,
      tests: threeSteps(file, 'levels of a JSON body, 32'),
      real: unmeasured.request,
    },
    {
      id: 'L-tasks',
      name: 'Tasks of a job',
      value: count(limits.tasksPerJob),
      beyond: `${isRefused} Create several jobs.`,
      tests: threeSteps(file, 'tasks of a job, 100'),
      real: unmeasured.request,
    },
    {
      id: 'L-row',
      name: 'Tasks of a job that wait for one another in a row',
      value: count(limits.tasksInRow),
      beyond: `${isRefused} Create a second job with the results of the first.`,
      tests: threeSteps(file, 'tasks of a job in a row, 20'),
      real: unmeasured.request,
    },
    {
      id: 'L-rate',
      name: 'Requests per minute with one API key (`RATE_LIMIT_PER_KEY`)',
      value: count(api('RATE_LIMIT_PER_KEY')),
      beyond: 'The request is refused with `rate_limited`. Wait for the seconds in `Retry-After`.',
      tests: [
        `${rates} > is per key, reported in headers, and answers 429 with Retry-After`,
        'apps/api/src/routes/rules.int.test.ts: the limits of a fresh installation > are 300 a minute for a key and 120 for an address',
      ],
      real: unmeasured.request,
    },
    {
      id: 'L-rate',
      name: 'Requests per minute from one address without a key (`RATE_LIMIT_PER_ADDRESS`)',
      value: count(api('RATE_LIMIT_PER_ADDRESS')),
      beyond: 'The request is refused with `rate_limited`. Wait for the seconds in `Retry-After`.',
      tests: [`${rates} > is per address without a key, and ignores X-Forwarded-For of untrusted clients`],
      real: unmeasured.request,
    },
    {
      id: 'L-redirects',
      name: 'Redirects of an import',
      value: count(defaultLimits.maxRedirects),
      beyond: 'The import fails with `source_refused`. Use the final URL.',
      tests: threeSteps(file, 'redirects of an import, 5'),
      real: unmeasured.network,
    },
    {
      id: 'L-source-rate',
      name: 'Bytes per second that a source must send, over any minute',
      value: bytes(defaultLimits.minRate),
      beyond: 'A slower import fails with `source_unreachable`, after three attempts. Use a faster host.',
      tests: [
        `${bodies}: slow sources > fail below the minimum rate, however much arrived before`,
        `${bodies}: slow sources > succeed above the minimum rate`,
        'e2e/src/attacks/requests.test.ts: B12 uploaders and sources that are slow or lie > fails an import whose source sends a short body, a bomb, endless redirects or too many headers',
      ],
      real: unmeasured.network,
    },
    {
      id: 'L-crashes',
      name: 'Crashes of engines that one file may cause',
      value: count(maxCrashes),
      beyond:
        'With that crash the task fails with `input_quarantined`, and so do others with the same file for 24 hours. Repair the file.',
      tests: [
        'packages/orchestrator/src/quarantine.int.test.ts: content that stops engines > is quarantined with the second one: its task ends, and a new task ends as soon as it is claimed',
        `${rules}: retry > quarantines content with the second engine it stops, whichever attempt at a task that is`,
      ],
      real: unmeasured.request,
    },
    {
      id: 'L-crashes',
      name: 'Attempts at a task whose cause of failure may pass',
      value: count(maxAttempts),
      beyond: 'The task fails. Create it again later.',
      tests: [`${rules}: retry > makes three attempts for a transient failure, waiting longer each time`],
      real: unmeasured.request,
    },
    {
      id: 'L-life',
      name: 'Life of a file',
      value: seconds(retention.fileMs / 1000),
      beyond: 'The file is deleted, and its links end with `link_expired`. Convert it again.',
      tests: [
        `${rules}: the vocabulary > keeps files 4 hours and records 24 hours`,
        'apps/scheduler/src/duties.int.test.ts: the duties > remove files within a minute of their four hours, and none before',
      ],
      real: unmeasured.time,
    },
    {
      id: 'L-life',
      name: 'Life of the record of a task or job',
      value: seconds(retention.recordMs / 1000),
      beyond: 'The record is deleted, and its id is answered with `not_found`.',
      tests: [
        'e2e/src/scenarios/retention.test.ts: retention > ends links and hides them when 4 hours are over, while the record stays',
      ],
      real: unmeasured.time,
    },
    {
      id: 'L-message',
      name: 'Bytes of the message of a failed task',
      value: count(maxFailureTextBytes),
      beyond: 'The message is cut.',
      tests: [-1, 0, 1].map(
        (beyond) =>
          `packages/domain/src/failures.test.ts: the text of a failure for its owner > is cut at 512 bytes: ${beyond} beyond`,
      ),
      real: 'failureBytes',
    },
  ],
}
