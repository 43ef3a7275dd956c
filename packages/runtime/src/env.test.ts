import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { readEnv, secretVariable } from './env.ts'

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

  it('treats an empty variable as absent', () => {
    expect(readEnv(schema, { PORT: '', NAME: 'abc', EXTRA: '' })).toEqual({ PORT: 80, NAME: 'abc', OPEN: false })
  })

  it('reports every fault at once', () => {
    expect(() => readEnv(schema, { PORT: 'x' })).toThrow(/NAME[\s\S]*PORT must be integer/)
  })

  it('returns a frozen value', () => {
    expect(Object.isFrozen(readEnv(schema, { NAME: 'abc' }))).toBe(true)
  })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-env-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, 'hush, hush\n')
  const withSecret = Type.Object({ HUSH: secretVariable({ minLength: 5 }), NAME: Type.Optional(Type.String()) })

  it('is read without its line break', () => {
    expect(readEnv(withSecret, { HUSH_FILE: file })).toEqual({ HUSH: 'hush, hush' })
  })

  it('excludes the variable itself, and other variables have no file', () => {
    expect(() => readEnv(withSecret, { HUSH: 'hush, hush', HUSH_FILE: file })).toThrow('exclude each other')
    expect(readEnv(withSecret, { HUSH_FILE: file, NAME_FILE: file })).toEqual({ HUSH: 'hush, hush' })
  })

  it('that cannot be read is a fault, and its content is never shown', () => {
    expect(() => readEnv(withSecret, { HUSH_FILE: join(folder, 'none') })).toThrow('HUSH_FILE cannot be read: ENOENT')
    writeFileSync(join(folder, 'short'), 'psst')
    expect(() => readEnv(withSecret, { HUSH_FILE: join(folder, 'short') })).toThrow(/HUSH(?![\s\S]*psst)/)
  })
})
