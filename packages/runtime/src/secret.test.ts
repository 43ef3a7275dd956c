import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'
import { revealText, Secret } from './secret.ts'

describe('a secret', () => {
  const secret = new Secret('hush-hush')

  it('is returned on request', () => {
    expect(secret.reveal()).toBe('hush-hush')
    expect(revealText(secret)).toBe('hush-hush')
    expect(revealText('plain')).toBe('plain')
    expect(revealText(undefined)).toBeUndefined()
  })

  it('is not shown by any way of printing', () => {
    const printed = [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret, deep: [{ secret }] }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
      JSON.stringify(Object.entries({ ...secret })),
      JSON.stringify(structuredClone({ ...secret })),
      new Error(`no ${secret}`).stack,
    ]
    expect(printed.join()).not.toContain('hush')
  })

  it('is not logged, whatever the field is called', () => {
    let lines = ''
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines += chunk
        done()
      },
    })
    const log = createLog({ level: 'info', name: 'test', destination })
    log.info({ harmless: secret, nested: { list: [secret] }, err: new Error(`with ${secret}`) }, `text ${secret}`)
    expect(lines).toContain('[secret]')
    expect(lines).not.toContain('hush')
  })
})
