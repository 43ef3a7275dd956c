import type { DisabledFormat } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { checkDisabled } from './check-disabled.ts'
import { parseDisabledFormat } from './parse-admin.ts'
import { parseJob } from './parse-job.ts'
import { parseTask } from './parse-task.ts'

const input = '0'.repeat(24)
const rule = (from: string | null, to: string | null): DisabledFormat => ({
  id: input,
  input: from,
  output: to,
  reason: 'an advisory',
})
const rules = [rule('heic', null), rule(null, 'gif'), rule('pdf', 'docx')]
const faultsOf = (operation: 'convert' | 'compress', body: object) =>
  checkDisabled([parseTask(operation, { input, ...body })], rules).map(({ path }) => path)

describe('a task that needs what is switched off', () => {
  it('is refused by its output format, and by its input format where that is given', () => {
    expect(faultsOf('convert', { output_format: 'gif' })).toEqual(['output_format'])
    expect(faultsOf('convert', { input_format: 'heif', output_format: 'png' })).toEqual(['input_format'])
    expect(faultsOf('convert', { input_format: 'pdf', output_format: 'docx' })).toEqual(['output_format'])
    expect(faultsOf('compress', { input_format: 'gif' })).toEqual(['input_format'])
  })

  it('is let through while its formats are not known, or are others', () => {
    expect(faultsOf('convert', { output_format: 'docx' })).toEqual([])
    expect(faultsOf('convert', { input_format: 'odt', output_format: 'docx' })).toEqual([])
  })

  it('is refused in a job by what the task before it writes', () => {
    const { tasks } = parseJob({
      tasks: {
        file: { operation: 'import/upload' },
        first: { operation: 'convert', input: 'file', output_format: 'pdf' },
        second: { operation: 'convert', input: 'first', output_format: 'docx' },
      },
    })
    const [fault, ...others] = checkDisabled(tasks, rules, ({ name }) => `tasks.${name}`)
    expect(others).toEqual([])
    expect(fault).toEqual({
      path: 'tasks.second.output_format',
      code: 'unsupported',
      msg: 'The conversion of pdf to docx was switched off by the administrators of this service. Their reason: an advisory. Choose another format, or ask them to switch it on.',
    })
  })
})

describe('what an administrator switches off', () => {
  it('is named by any name of its formats', () => {
    expect(parseDisabledFormat({ input: 'JPEG', reason: ' ' })).toEqual({ input: 'jpg', output: null, reason: null })
    expect(parseDisabledFormat({ input: 'pdf', output: 'docx', reason: ' slow ' })).toEqual({
      input: 'pdf',
      output: 'docx',
      reason: 'slow',
    })
  })

  it.each([
    [{}, /is required, unless output is given/],
    [{ input: 'nope' }, /not a format/],
    [{ input: 'mp3', output: 'docx' }, /names nothing/],
    [{ input: 'jpg', extra: 1 }, /extra/],
  ])('is refused where it names nothing: %j', (body, text) => {
    expect(() => parseDisabledFormat(body)).toThrow(text)
  })
})
