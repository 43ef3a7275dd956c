import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { readEnv } from './env.ts'

const schema = Type.Object({
  PORT: Type.Integer({ minimum: 1, default: 80 }),
  NAME: Type.String({ minLength: 3 }),
  OPEN: Type.Boolean({ default: false }),
  EXTRA: Type.Optional(Type.String()),
})

describe('reading the environment', () => {
  it('converts texts, fills defaults and drops what the schema does not name', () => {
    expect(readEnv(schema, { PORT: '90', NAME: 'abc', OPEN: '1', PATH: '/bin' })).toEqual({
      PORT: 90,
      NAME: 'abc',
      OPEN: true,
    })
  })

  it('takes an empty variable as absent', () => {
    expect(readEnv(schema, { PORT: '', NAME: 'abc', EXTRA: '' })).toEqual({ PORT: 80, NAME: 'abc', OPEN: false })
  })

  it('reports every fault at once', () => {
    expect(() => readEnv(schema, { PORT: 'x' })).toThrow(/NAME[\s\S]*PORT must be integer/)
  })

  it('gives a value nobody can change', () => {
    expect(Object.isFrozen(readEnv(schema, { NAME: 'abc' }))).toBe(true)
  })
})
