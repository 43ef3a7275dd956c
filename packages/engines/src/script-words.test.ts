import { describe, expect, it } from 'vitest'
import { readWarnings, refusalReader } from './script-words.ts'

describe('what a script warns of', () => {
  const read = (stdout: string) => readWarnings({ left: (n) => `Left out: ${n}.` }, [stdout])

  it('is told in words of ours, with how often it happened', () => {
    expect(read('{"warning": "left", "times": 12}\n{"warning": "left"}\n')).toEqual(['Left out: 12.', 'Left out: 1.'])
  })

  it('is nothing where a word is none of ours', () => {
    expect(read('{"warning": "constructor"}\n{"warning": 1}\n{"x": 1}\nno JSON\n')).toEqual([])
  })
})

describe('what a script refuses', () => {
  const read = refusalReader({ syntax: ['input_damaged', 'The rules are broken.'], locked: ['input_encrypted'] })

  it('has a place where it is known', () => {
    const text = 'The rules are broken at line 3, column 14.'
    expect(read({ code: 3, stderr: '\nrefused: syntax 3 14\n' })).toMatchObject({ code: 'input_damaged', text })
    expect(read({ code: 3, stderr: 'refused: syntax\n' })).toMatchObject({ text: 'The rules are broken.' })
  })

  it('has the words of its code where it has none of its own', () => {
    expect(read({ code: 3, stderr: 'refused: locked\n' })).toMatchObject({ code: 'input_encrypted' })
  })

  it('is not believed with another exit or word', () => {
    expect(read({ code: 1, stderr: 'refused: syntax\n' })).toBeUndefined()
    expect(read({ code: 3, stderr: 'refused: constructor\n' })).toBeUndefined()
    expect(read({ code: 3, stderr: 'it was refused: syntax\n' })).toBeUndefined()
  })
})
