import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../fixtures/cpu-ms.ts'
import { detectFormat, detectionBytes } from './detect.ts'
import { resolveFormat } from './resolve.ts'
import { bytesOf } from './testing/bytes-of.ts'

const page = 'Content-Type: text/html\n\n<p>'

describe('web pages saved as one message', () => {
  it.each([
    [
      'a browser',
      'From: <Saved by Blink>\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="b"\r\n\r\n--b\r\n',
    ],
    ['an editor', `MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n${page}`],
    ['binary parts', `mime-version: 1.0\ncontent-type: Multipart/Related; type=text/html\n\n--b\n\0\x01\xff`],
    ['a PDF within', 'Mime-Version: 1.0\nContent-Type: multipart/related; type="text/html"\n\n%PDF-1.4'],
  ])('are seen with %s', (_, head) => {
    expect(detectFormat(bytesOf(head))).toEqual({ ext: 'mhtml', conclusive: true, variants: ['eml'] })
    expect(resolveFormat({ detected: detectFormat(bytesOf(head)), filename: 'report.doc' }).ext).toBe('mhtml')
  })

  it.each([
    ['parts of other kinds', `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n${page}`],
    ['related parts without a page', 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n'],
    ['fields that stand further down', `A: b\n\nMIME-Version: 1.0\nContent-Type: multipart/related\n\n${page}`],
    ['no version', `Content-Type: multipart/related; type="text/html"\n\n--b\n${page}`],
    ['no end of its fields', 'MIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"\n'],
  ])('are not seen in %s', (_, head) => {
    expect(detectFormat(bytesOf(head))?.ext).toBe('txt')
  })
})

describe('email messages', () => {
  it.each([
    ['delivered', 'Return-Path: <a@example.org>\r\nReceived: from b\r\n\tby c\r\nSubject: Hello\r\n\r\nText'],
    ['a draft', 'From: a@example.org\nTo: b@example.org\nSubject: Hello\n\nText'],
    ['behind white space', '\r\n\r\nDate: now\nFrom: a\nMessage-ID: <1@b>\n\nText'],
    ['from a news group', 'Path: a!b\nNewsgroups: misc.test\nSubject: x\n\nText'],
    ['with a picture', 'To: a\nReceived: b\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n\0\xff'],
  ])('are seen when %s', (_, head) => {
    expect(detectFormat(bytesOf(head))).toMatchObject({ ext: 'eml', conclusive: true })
    expect(resolveFormat({ detected: detectFormat(bytesOf(head)), filename: 'mail.doc' }).ext).toBe('eml')
  })

  it('stay text where they are called so', () => {
    const detected = detectFormat(bytesOf('From: me\nTo: you\nSubject: a memo\n\nText'))
    expect(resolveFormat({ detected, filename: 'memo.txt' })).toEqual({ ext: 'txt' })
  })

  it('with related parts stay messages where they have travelled', () => {
    const head = `Received: a\nTo: b\nFrom: c\nMIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"\n\n${page}`
    expect(detectFormat(bytesOf(head))).toMatchObject({ ext: 'eml', variants: ['mhtml', 'txt'] })
  })

  it('are not seen in a text with a colon or two', () => {
    expect(detectFormat(bytesOf('Title: a poem\nAuthor: me\n\nText'))?.ext).toBe('txt')
    expect(detectFormat(bytesOf('From: here\nit goes on\n\n'))?.ext).toBe('txt')
  })
})

describe('mailboxes', () => {
  it.each([
    'From a@example.org Mon Jun  1 10:00:00 2009\nReceived: b\n\nText',
    'From - Tue Jul 21 10:00:00 2009\nX-Status: 0\n\nText',
    'From MAILER-DAEMON Fri Jul  8 12:08:34 2011\n\nText',
  ])('begin with an envelope: %j', (head) => {
    expect(detectFormat(bytesOf(head))).toEqual({ ext: 'mbox', conclusive: true, variants: ['eml', 'txt'] })
  })

  it('are not seen in a sentence', () => {
    expect(detectFormat(bytesOf('From here to there it is 12 miles.\n\nText'))?.ext).toBe('txt')
  })
})

describe('fields without end', () => {
  it('take no time', () => {
    const pieces = ['a:', 'a:\n', 'a:\n ', 'a:\r\n\t\r', 'content-type:']
    const heads = pieces.map((piece) => bytesOf(piece.repeat(Math.ceil(detectionBytes / piece.length))))
    expect(cpuMs(() => heads.map(detectFormat))).toBeLessThan(2000)
  })
})
