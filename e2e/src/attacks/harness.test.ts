import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import type { Task } from '@lathe/contract'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { onePage, streamOf } from '../../../fixtures/attacks/pdf.ts'
import { smallPng } from '../../../fixtures/attacks/png.ts'
import { zipOf } from '../../../fixtures/attacks/zip.ts'
import type { SafeEnd } from './support/attack.ts'
import { layCanaries } from './support/canaries.ts'
import { findTokens } from './support/find-tokens.ts'
import { judgeEnd } from './support/judge-end.ts'
import { areAlike, showsCanary } from './support/look-inside.ts'
import type { VariantEnd } from './support/run-variant.ts'
import { openTripwire } from './support/tripwire.ts'

const token = 'canary0123456789abcdef0123456789'
const within = (text: string) => `before ${text} behind`

// Who looks for something must be able to find it.
describe('a token', () => {
  it.each([
    ['plain', Buffer.from(within(token))],
    ['in UTF-16', Buffer.from(within(token), 'utf16le')],
    ['in hex', Buffer.from(within(Buffer.from(token).toString('hex')))],
    ['in base64', Buffer.from(Buffer.from(within(token)).toString('base64'))],
    ['in base64, a place on', Buffer.from(Buffer.from(`x${within(token)}`).toString('base64'))],
    ['backwards', Buffer.from([...Buffer.from(token)].reverse())],
    ['in a zlib stream', Buffer.concat([Buffer.from('head'), deflateSync(within(token)), Buffer.from('tail')])],
    ['in gzip', gzipSync(within(token))],
    ['in a member of a ZIP', zipOf([{ name: 'a', content: within(token) }])],
    ['in a ZIP in a ZIP', zipOf([{ name: 'a', content: zipOf([{ name: 'b', content: within(token) }]) }])],
    ['in a packed text of a PNG', smallPng([['zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(token)])]])],
    ['in hex in a chunk', smallPng([['tEXt', `Raw profile type x\0${Buffer.from(within(token)).toString('hex')}`]])],
    ['in a packed stream of a PDF', onePage({ content: streamOf(deflateSync(within(token)), '/Filter /FlateDecode') })],
  ])('is found %s', (_, bytes) => {
    expect(findTokens(bytes, [token])).toEqual([token])
    expect(findTokens(bytes, ['canaryffffffffffffffffffffffffff'])).toEqual([])
  })
})

describe('the canary image', () => {
  it('is recognized when drawn into another image, also as JPEG; an ordinary image is not', async () => {
    await using canaries = await layCanaries()
    const paper = sharp({ create: { width: 300, height: 300, channels: 3, background: 'white' } })
    const clean = await paper.clone().png().toBuffer()
    const drawn = paper.composite([{ input: canaries.picture, left: 40, top: 60 }])
    expect(await showsCanary(await drawn.clone().png().toBuffer())).toBe(true)
    expect(await showsCanary(await drawn.clone().jpeg({ quality: 60 }).toBuffer())).toBe(true)
    expect(await showsCanary(clean)).toBe(false)
    expect(await areAlike(clean, clean)).toBe(true)
    expect(await areAlike(clean, await drawn.clone().png().toBuffer())).toBe(false)
  })
})

describe('a tripwire', () => {
  it('records connections and datagrams', async () => {
    await using tripwire = await openTripwire()
    const socket = connect(tripwire.port, '127.0.0.1')
    socket.end('GET / HTTP/1.1\r\n\r\n')
    await once(socket, 'close')
    const udp = createSocket('udp4')
    udp.send('who is there', tripwire.udpPort, '127.0.0.1', () => udp.close())
    await expect.poll(() => tripwire.hits().length).toBe(2)
    expect(tripwire.hits().join()).toMatch(/TCP GET.*UDP who/s)
  })
})

describe('the verdict on the end of a task', () => {
  const ended = (status: string, result: object): VariantEnd => {
    return { kind: 'ended', task: { status, result } as Task, outputs: [], tookMs: 10 }
  }
  const variant = { what: 'x', filename: 'x.png', content: 'x' } as const
  const faults = (end: SafeEnd, given: VariantEnd) => judgeEnd({ ...variant, end }, given, 1000).length

  it.each([
    ['a completed task that should have been refused', 'refused', ended('completed', {})],
    ['a failure of our own', 'harmless', ended('failed', { reason: 'internal', msg: 'x' })],
    ['an unknown reason', 'harmless', ended('failed', { reason: 'odd', msg: 'x' })],
    ['a task that is still running', 'harmless', ended('processing', {})],
    ['words of an engine', 'refused', ended('failed', { reason: 'unsupported', msg: 'in-0.png: no decode delegate' })],
    ['a path', 'refused', ended('failed', { reason: 'unsupported', msg: 'cannot open /job/x' })],
    ['a long message', 'refused', ended('failed', { reason: 'unsupported', msg: 'x'.repeat(513) })],
    ['a late one', 'refused', { ...ended('failed', { reason: 'unsupported', msg: 'x' }), tookMs: 1001 }],
    ['a crash where a refusal is due', 'limited', ended('failed', { reason: 'engine_crashed', msg: 'x' })],
  ] as const)('rejects %s', (_, end, given) => {
    expect(faults(end, given)).toBeGreaterThan(0)
  })

  it.each([
    ['refused', ended('failed', { reason: 'unsupported', msg: 'No.' })],
    ['limited', ended('failed', { reason: 'limit_exceeded', msg: 'Too many pixels.' })],
    ['harmless', ended('completed', {})],
    ['completed', ended('completed', {})],
  ] as const)('accepts an expected end: %s', (end, given) => {
    expect(faults(end, given)).toBe(0)
  })
})
