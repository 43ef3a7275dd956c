import { describe, expect, it } from 'vitest'
import { readWarnings, refusalReader } from './script-words.ts'

describe('a warning of a script', () => {
  const read = (stdout: string) => readWarnings({ left: (n) => `Left out: ${n}.` }, [stdout])

  it('is translated to our text, with its count', () => {
    expect(read('{"warning": "left", "times": 12}\n{"warning": "left"}\n')).toEqual(['Left out: 12.', 'Left out: 1.'])
  })

  it('is ignored if its code is unknown', () => {
    expect(read('{"warning": "constructor"}\n{"warning": 1}\n{"x": 1}\nno JSON\n')).toEqual([])
  })
})

describe('a refusal of a script', () => {
  const read = refusalReader({ syntax: ['input_damaged', 'The rules are broken.'], locked: ['input_encrypted'] })

  it('has a position if it is known', () => {
    const text = 'The rules are broken at line 3, column 14.'
    expect(read({ code: 3, stderr: '\nrefused: syntax 3 14\n' })).toMatchObject({ code: 'input_damaged', text })
    expect(read({ code: 3, stderr: 'refused: syntax\n' })).toMatchObject({ text: 'The rules are broken.' })
  })

  it('has the text of its code if it has none of its own', () => {
    expect(read({ code: 3, stderr: 'refused: locked\n' })).toMatchObject({ code: 'input_encrypted' })
  })

  it('is not accepted with another exit code or word', () => {
    expect(read({ code: 1, stderr: 'refused: syntax\n' })).toBeUndefined()
    expect(read({ code: 3, stderr: 'refused: constructor\n' })).toBeUndefined()
    expect(read({ code: 3, stderr: 'it was refused: syntax\n' })).toBeUndefined()
  })
})
