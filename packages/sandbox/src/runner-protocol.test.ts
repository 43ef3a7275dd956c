import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReply, requestLine } from './runner-protocol.ts'

describe('a response of a runner', () => {
  it('is read if it follows the protocol', () => {
    expect(parseReply('{"ready":true}')).toEqual({ kind: 'ready' })
    expect(parseReply('{"id":7,"progress":0.4}')).toEqual({ kind: 'progress', id: 7, share: 0.4 })
    expect(parseReply('{"id":7,"ok":true,"result":{"warnings":[]}}')).toEqual({
      kind: 'done',
      id: 7,
      result: { warnings: [] },
    })
  })

  it('is truncated to one short line if the owner will see it', () => {
    const line = JSON.stringify({ id: 1, ok: false, code: 'input_damaged', text: `a\u001b[31m\nb${'x'.repeat(600)}` })
    const reply = parseReply(line)
    const text = reply?.kind === 'failed' ? reply.failure.text : undefined
    expect(text).toMatch(/^a \[31m bx+$/)
    expect(text).toHaveLength(512)
  })

  it.each([
    'what?',
    '7',
    'null',
    '[]',
    '{}',
    '{"id":"7","ok":true,"result":{}}',
    '{"id":7,"progress":2}',
    '{"id":7,"progress":-1}',
    '{"id":7,"ok":true}',
    '{"id":7,"ok":true,"result":[]}',
    '{"id":7,"ok":false,"code":"internal"}',
    '{"id":7,"ok":false,"code":"source_unauthorized"}',
    '{"id":7,"ok":"yes","result":{}}',
  ])('is refused as %s', (line) => {
    expect(parseReply(line)).toBeUndefined()
  })

  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => void parseReply(line)))
  })
})

describe('a request to a runner', () => {
  it('is one line, whatever the request holds', () => {
    expect(requestLine(3, '/job/3', { a: '\n' })).toBe('{"id":3,"dir":"/job/3","request":{"a":"\\n"}}\n')
  })
})
