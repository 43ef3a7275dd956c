import { describe, expect, it } from 'vitest'
import { readRefusal, readWarnings } from './report.ts'

describe('what the script warns of', () => {
  it('is told in words of ours, with how often it happened', () => {
    const lines = '{"warning": "nested", "times": 1200}\n{"warning": "nested", "times": 1}\n'
    expect(readWarnings([lines])).toEqual([
      'Lists and objects inside of rows became JSON text in their cells (1,200 cells).',
      'Lists and objects inside of rows became JSON text in their cells (1 cell).',
    ])
  })

  it('is nothing where a word is none of ours', () => {
    expect(readWarnings(['{"warning": "constructor"}\n{"warning": 1}\n{"x": 1}\nno JSON\n'])).toEqual([])
  })
})

describe('what the script refuses', () => {
  it('has a place where it is known', () => {
    expect(readRefusal({ code: 3, stderr: '\nrefused: syntax 3 14\n' })).toMatchObject({
      code: 'input_damaged',
      text: 'The input does not follow the rules of its format at line 3, column 14.',
    })
    expect(readRefusal({ code: 3, stderr: 'refused: deep\n' })).toMatchObject({ code: 'limit_exceeded' })
  })

  it('is not believed with another exit or word', () => {
    expect(readRefusal({ code: 1, stderr: 'refused: deep\n' })).toBeUndefined()
    expect(readRefusal({ code: 3, stderr: 'refused: constructor\n' })).toBeUndefined()
  })
})
