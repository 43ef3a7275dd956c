import type { ProcessingOperation } from '@lathe/operations'
import { expect, it } from 'vitest'
import { checkCatalog } from './check-catalog.ts'
import type { Ability } from './engine.ts'

const ability = (operation: string, from: string, to: string): Ability => ({
  operation: operation as ProcessingOperation,
  from,
  to,
  options: [],
})

it('every operation has an engine, and every ability an operation and formats', () => {
  expect(() => checkCatalog()).not.toThrow()
})

it('names all that does not fit, each once', () => {
  const abilities = [
    ability('convert', 'jpg', 'png'),
    ability('convert', 'jpeg', 'png'),
    ability('paint', 'jpg', 'png'),
    ability('paint', '*', 'canvas'),
  ]
  const faults = [
    'no engine has an ability for merge',
    'toy: there is no format jpeg',
    'toy: there is no operation paint',
    'toy: there is no format canvas',
  ]
  expect(() => checkCatalog({ operations: ['convert', 'merge'], engines: [{ id: 'toy', abilities }] })).toThrow(
    new Error(`Bad catalog of operations and engines:\n  ${faults.join('\n  ')}`),
  )
})
