import { describe, expect, it } from 'vitest'
import { createLog, redactUrl } from './log.ts'

function capture() {
  const lines: string[] = []
  const log = createLog({ level: 'info', name: 'api', destination: { write: (line) => void lines.push(line) } })
  return { log, lines }
}

describe('the log', () => {
  it('removes secrets by field name, however they are nested', () => {
    const { log, lines } = capture()
    log.info({ authorization: 'Bearer abc', req: { headers: { authorization: 'Bearer abc' } } }, 'request')
    expect(lines.join()).not.toContain('abc')
    expect(lines.join()).toContain('***')
  })

  it('names the process and spells the level', () => {
    const { log, lines } = capture()
    log.warn('odd')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: 'api', level: 'warn', msg: 'odd' })
  })

  it('keeps the path of a url and drops its secrets', () => {
    expect(redactUrl('/v1/files/1/0?signature=abc&expires=5')).toBe('/v1/files/1/0?signature=***&expires=***')
    expect(redactUrl('https://me:pass@host/x')).toBe('https://***@host/x')
  })
})
