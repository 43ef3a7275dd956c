import { kindOf, operations } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../fixtures/cpu-ms.ts'
import { availableOperations, unavailableOperations } from '../available-operations.ts'
import { taskBodies } from '../bodies/bodies.ts'
import { limits } from '../limits.ts'
import { faultsOf, onlyText, pathsOf } from '../testing/faults-of.ts'
import { parseTask } from './parse-task.ts'

const id = '66f2c1a0000100a1b2c3d4e5'
const otherId = '66f2c1a0000100a1b2c3d4e6'

describe('a task of its own', () => {
  it('is named after its operation [D-shape-02]', () => {
    expect(parseTask('import/upload', {}).name).toBe('import/upload')
    expect(parseTask('convert', { input: id, output_format: 'png' }).name).toBe('convert')
  })

  it('accepts an empty body or {} where no parameter is needed [D-http-13]', () => {
    expect(parseTask('import/upload', undefined).payload).toEqual({})
    expect(parseTask('import/upload', {}).payload).toEqual({})
  })

  it('refuses a body that is not an object', () => {
    for (const body of [null, 5, 'text', [], true])
      expect(pathsOf(() => parseTask('import/upload', body))).toEqual(['body'])
  })

  it('names an unknown field and what is allowed [D-http-18]', () => {
    const text = onlyText(() => parseTask('import/url', { url: 'https://a.example/b.jpg', colour: 'red' }))
    expect(text).toBe('colour: is unknown. Allowed: url, filename.')
  })

  it('names every faulty field at once', () => {
    const paths = pathsOf(() => parseTask('convert', { input: 5, filename: 7, options: [], colour: 'red' }))
    expect(paths.toSorted()).toEqual(['colour', 'filename', 'input', 'options', 'output_format'])
  })

  it('gives every fault a code of a closed list [D-http-65]', () => {
    const faults = faultsOf(() => parseTask('convert', { input: 5, colour: 'red' }))
    expect(faults.map(({ path, code }) => [path, code ?? 'invalid'])).toEqual([
      ['colour', 'unknown'],
      ['input', 'invalid'],
      ['output_format', 'required'],
    ])
    const pair = () => parseTask('convert', { input: id, input_format: 'jpg', output_format: 'mp3' })
    expect(faultsOf(pair)).toMatchObject([{ path: 'output_format', code: 'unsupported' }])
  })

  it('says in the message of a refusal which field is faulty first, and how many more are', () => {
    expect(() => parseTask('convert', {})).toThrow(/^input: is required.* \(and 1 more\)$/)
  })

  it('shows the payload as sent, minus input [S-task-05, D-shape-03]', () => {
    const body = {
      input: id,
      input_format: 'JPEG',
      output_format: 'WebP',
      options: { quality: '80' },
      filename: 'a.webp',
    }
    const { input: _, ...shown } = body
    expect(parseTask('convert', body).payload).toEqual(shown)
  })

  it('works with formats in one spelling, whatever case or alias was sent', () => {
    const { parameters } = parseTask('convert', { input: id, input_format: '.JPEG', output_format: 'TIF' })
    expect(parameters).toMatchObject({ input_format: 'jpg', output_format: 'tiff' })
  })

  it('does not coerce types [D-http-16]', () => {
    expect(pathsOf(() => parseTask('export/url', { input: id, archive_multiple_files: 'true' }))).toEqual([
      'archive_multiple_files',
    ])
    expect(pathsOf(() => parseTask('import/url', { url: 5 }))).toEqual(['url'])
  })

  it('takes null and an empty text in every optional field as not given, and refuses them in a required one (C8) [D-http-68]', () => {
    for (const operation of operations) {
      const { properties, required = [] } = taskBodies[operation]
      for (const empty of [null, '']) {
        const body = Object.fromEntries(Object.keys(properties).map((name) => [name, empty]))
        expect(pathsOf(() => parseTask(operation, body)).toSorted(), operation).toEqual([...required].toSorted())
      }
    }
  })

  it('shows and uses nothing of a field that is not given (C8)', () => {
    const body = { input: id, output_format: 'webp', filename: '', input_format: null, options: { quality: null } }
    const { payload, parameters } = parseTask('convert', body)
    expect(payload).toEqual({ output_format: 'webp', options: {} })
    expect(parameters).toEqual(payload)
  })
})

describe('input of a task of its own', () => {
  const inputsOf = (input: unknown) => parseTask('export/url', { input }).inputs

  it('is a string or an array of strings [D-op-05]', () => {
    expect(inputsOf(id)).toEqual([{ kind: 'task', value: id, path: 'input' }])
    expect(inputsOf([id, otherId]).map(({ path }) => path)).toEqual(['input[0]', 'input[1]'])
  })

  it('takes ids in any case', () => {
    expect(inputsOf(id.toUpperCase())).toMatchObject([{ value: id }])
  })

  it('refuses a malformed id', () => {
    expect(pathsOf(() => inputsOf('photo'))).toEqual(['input'])
    expect(pathsOf(() => inputsOf([id, id.slice(1)]))).toEqual(['input[1]'])
  })

  it('refuses an empty array', () => {
    expect(pathsOf(() => inputsOf([]))).toEqual(['input'])
  })

  it('may name the same task twice (C10)', () => {
    expect(inputsOf([id, id.toUpperCase()]).map(({ value }) => value)).toEqual([id, id])
  })

  it('is required by every processing and export operation [D-op-07]', () => {
    for (const operation of operations.filter((name) => kindOf(name) !== 'import')) {
      expect(pathsOf(() => parseTask(operation, {}))).toContain('input')
    }
  })

  it('is refused by every import', () => {
    for (const operation of operations.filter((name) => kindOf(name) === 'import')) {
      const fault = faultsOf(() => parseTask(operation, { input: id })).find(({ path }) => path === 'input')
      expect(fault?.msg).toMatch(/not taken by an import/)
    }
  })
})

describe('the operations of the document', () => {
  it('are all available [D-op-45]', () => {
    expect([...unavailableOperations]).toEqual([])
    expect(availableOperations).toEqual(operations)
  })
})

describe('shape of a body', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) })

  it('refuses __proto__ anywhere [D-http-14]', () => {
    expect(pathsOf(() => parseTask('import/upload', JSON.parse('{"__proto__": {"a": 1}}')))).toEqual(['__proto__'])
    const options = JSON.parse('{"input": "x", "output_format": "png", "options": {"__proto__": 1}}')
    expect(pathsOf(() => parseTask('convert', options))).toEqual(['options.__proto__'])
  })

  it('refuses nesting past 32 levels [D-http-15]', () => {
    const text = onlyText(() => parseTask('import/upload', nested(limits.bodyNesting + 1)))
    expect(text).toMatch(/nested deeper than 32 levels/)
    expect(faultsOf(() => parseTask('import/upload', nested(limits.bodyNesting)))[0]?.msg).toMatch(/is unknown/)
  })

  it('refuses texts the record cannot hold: NUL and halves of surrogate pairs', () => {
    expect(pathsOf(() => parseTask('import/url', { url: 'https://a.example/\0' }))).toEqual(['url'])
    expect(pathsOf(() => parseTask('import/url', { url: 'https://a.example/\ud800' }))).toEqual(['url'])
  })

  it('refuses numbers beyond the range of JSON', () => {
    const body = JSON.parse('{"options": {"quality": 1e999}}')
    expect(pathsOf(() => parseTask('convert', body))).toEqual(['options.quality'])
  })

  it('is checked quickly even for the largest body', () => {
    const many = Array.from({ length: 4_000_000 }, () => 0)
    const body = { input: many, output_format: 'png', options: { a: many } }
    let paths: readonly string[] = []
    const spent = cpuMs(() => {
      paths = pathsOf(() => parseTask('convert', body))
    })
    expect(paths).toEqual(['input', 'options'])
    expect(spent).toBeLessThan(4000)
  })

  it('keeps the response small for any number of errors', () => {
    const hostile = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${'x'.repeat(1000)}${n}`, n]))
    const faults = faultsOf(() => parseTask('import/upload', hostile))
    expect(faults.length).toBe(100)
    expect(JSON.stringify(faults).length).toBeLessThan(20_000)
  })
})
