import { describe, expect, it } from 'vitest'
import { faultsOf } from '../testing/faults-of.ts'
import { parseJob } from './parse-job.ts'
import { parseTask } from './parse-task.ts'

const id = 'a'.repeat(24)
const other = 'b'.repeat(24)
const upload = { operation: 'import/upload' }

describe('a file in a role', () => {
  it('is named by id or by name, and comes after the inputs', () => {
    expect(parseTask('watermark', { input: id, overlay: other.toUpperCase() }).inputs).toEqual([
      { kind: 'task', value: id, path: 'input' },
      { kind: 'task', value: other, path: 'overlay', role: 'overlay' },
    ])
    const { tasks } = parseJob({
      tasks: { photo: upload, logo: upload, mark: { operation: 'watermark', overlay: 'logo', input: 'photo' } },
    })
    expect(tasks[2]?.inputs).toEqual([
      { kind: 'sibling', value: 'photo', path: 'tasks.mark.input' },
      { kind: 'sibling', value: 'logo', path: 'tasks.mark.overlay', role: 'overlay' },
    ])
    expect(tasks[2]?.payload).toEqual({ overlay: 'logo' })
  })

  it.each([
    ['no name and no id', { overlay: 'nowhere' }, 'tasks.mark.overlay'],
    ['several', { overlay: ['photo', 'photo'] }, 'tasks.mark.overlay'],
    ['itself', { overlay: 'mark' }, 'tasks.mark.input'],
    ['a format that the role does not take', { overlay: 'sound' }, 'tasks.mark.overlay'],
    ['one too many', { overlay: 'photo', options: { text: 'Draft' } }, 'tasks.mark.overlay'],
    ['none, where nothing else is given', {}, 'tasks.mark.options'],
  ])('is refused if it is %s', (_, fields, path) => {
    const sound = { operation: 'convert', input: 'photo', output_format: 'mp3' }
    const tasks = { photo: upload, sound, mark: { operation: 'watermark', input: 'photo', ...fields } }
    expect(faultsOf(() => parseJob({ tasks })).map((fault) => fault.path)).toEqual([path])
  })
})
