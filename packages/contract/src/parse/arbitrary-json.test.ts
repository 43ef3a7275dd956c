import { Problem } from '@lathe/domain'
import { operations } from '@lathe/operations'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPage } from '../query/paging.ts'
import { parseFormatsQuery, parseOptionsQuery } from '../query/parse-format-query.ts'
import { jobsQuery, taskQuery, tasksQuery } from '../query/queries.ts'
import { parseJob } from './parse-job.ts'
import { parseTask } from './parse-task.ts'

const names = [
  'a',
  'b',
  'constructor',
  '__proto__',
  'toString',
  'input',
  'operation',
  'options',
  'filename',
  'url',
  'file',
  'tag',
  'tasks',
  'output_format',
  'input_format',
  'key',
  'host',
  'port',
]
const key = fc.oneof(fc.constantFrom(...names), fc.string())
const scalar = fc.oneof(
  fc.constantFrom(
    ...names,
    ...operations,
    'png',
    'data:text/plain;base64,aGk=',
    'https://a.example',
    '66f2c1a0000100a1b2c3d4e5',
  ),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)

// Built from entries, as JSON.parse does, so that `__proto__` becomes a field and not a prototype.
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }).map(Object.fromEntries),
  ),
}))

const near = fc.record(
  { operation: fc.constantFrom(...operations), input: fc.oneof(fc.constantFrom('a', 'b'), json) },
  { requiredKeys: [] },
)
const definition = fc
  .tuple(fc.dictionary(key, json, { maxKeys: 4 }), near)
  .map(([body, more]): unknown => ({ ...body, ...more }))

// Enough to find the bug found here (a `toString` that is not a function), in about a second.
const runs = 400

function isRefusalOrResult(parse: () => unknown): boolean {
  try {
    return parse() !== undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.code === 'invalid_request' && error.errors.length > 0
  }
}

describe('arbitrary JSON', () => {
  it('a task is read or refused with named fields, never anything else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operations), json, fc.boolean(), (operation, body, inJob) =>
        isRefusalOrResult(() => parseTask(operation, body, { inJob, path: inJob ? 'tasks.a' : '' })),
      ),
      { numRuns: runs },
    )
  })

  it('a job is read or refused with named fields, never anything else', () => {
    const tasks = fc.dictionary(key, fc.oneof(json, definition), { maxKeys: 5 })
    const body = fc.oneof(
      json,
      tasks.map((given) => ({ tasks: given })),
    )
    fc.assert(
      fc.property(body, (given) => isRefusalOrResult(() => parseJob(given))),
      { numRuns: runs },
    )
  })

  it('a refusal names paths and texts that are well-formed and short', () => {
    fc.assert(
      fc.property(json, (body) => {
        try {
          parseJob({ tasks: { a: body } })
        } catch (error) {
          for (const fault of (error as Problem).errors) {
            expect(fault.path.isWellFormed() && fault.msg.isWellFormed()).toBe(true)
            expect(fault.path).not.toContain('\0')
            expect(fault.msg.length).toBeLessThan(2000)
          }
        }
      }),
      { numRuns: runs },
    )
  })

  it('never changes the prototype of anything', () => {
    fc.assert(
      fc.property(json, (body) => isRefusalOrResult(() => parseTask('convert', body))),
      { numRuns: runs },
    )
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it('survives nesting far beyond what recursion could hold', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? [deep] : { a: deep }
    expect(isRefusalOrResult(() => parseJob({ tasks: { a: deep } }))).toBe(true)
  })
})

describe('an arbitrary query', () => {
  const parameter = fc.constantFrom(
    'status',
    'operation',
    'job',
    'per_page',
    'page',
    'tag',
    'include',
    'input_format',
    'output_format',
    '__proto__',
    'x',
  )
  const value = fc.oneof(fc.constantFrom('jpg', '*', '5', 'job', 'created'), fc.string({ unit: 'binary' }))
  const query = fc
    .array(fc.tuple(parameter, fc.oneof(value, fc.array(value, { minLength: 2, maxLength: 3 }))))
    .map((entries): Record<string, string | string[]> => Object.fromEntries(entries))

  it('is read or refused with named parameters, never anything else', () => {
    fc.assert(
      fc.property(query, (raw) =>
        [
          () => readPage(tasksQuery, raw),
          () => readPage(jobsQuery, raw),
          () => taskQuery.read(raw),
          () => parseFormatsQuery(raw),
          () => parseOptionsQuery(raw, 'convert'),
        ].every(isRefusalOrResult),
      ),
      { numRuns: runs },
    )
  })
})
