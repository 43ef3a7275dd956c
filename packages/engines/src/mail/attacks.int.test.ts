import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { makeMsg } from '../../../../fixtures/mail.ts'
import { mailLimits } from '../markup/mail-limits.ts'

const bench = usePlanBench()

const run = (format: string, content: string | Uint8Array, to: string, options = {}) =>
  bench.run({ operation: 'convert', sources: [{ format, content }], to, options })

async function done(format: string, content: string | Uint8Array, to: string, options = {}) {
  const end = await run(format, content, to, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return end
}

const tricks = `<style>@import url(http://127.0.0.1:9/a.css); body { background: url(http://127.0.0.1:9/b) } } * { display: none }</style>
<script>alert(1)</script><p onmouseover="alert(2)">kept words</p><a href="JaVaScript:alert(3)">x</a><img src="file:///etc/passwd">
<iframe srcdoc="<script>alert(4)</script>"></iframe><form action="http://127.0.0.1:9/"><button formaction="javascript:alert(5)">b</button></form>
<svg><style><img src=x onerror=alert(6)></style><animate onbegin="alert(7)"/></svg><o:p>office</o:p><base href="http://127.0.0.1:9/">`
const page = `Subject: =?utf-8?Q?=3Cscript=3Ealert=280=29=3C/script=3E?=\nContent-Type: text/html\n\n${tricks}`

describe('HTML in a message', () => {
  it.each([
    ['eml', page],
    ['msg', makeMsg({ body: [['10130102', Buffer.from(tricks)]] })],
  ])('is inert: %s', { timeout: 120_000 }, async (format, content) => {
    const [file] = (await done(format, content, 'html')).files
    const text = String(file?.bytes)
    expect(text).toContain('kept words')
    expect(text).toContain("default-src 'none'")
    expect(text).not.toMatch(/127\.0\.0\.1|passwd|display: none/)
    const inside = text.slice(text.indexOf('<body>'))
    expect(inside).not.toMatch(/<(script|iframe|style|form|base|animate)\b/i)
    for (const [tag] of inside.matchAll(/<[a-z](?:[^>"]|"[^"]*")*>/gi)) {
      expect(tag.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/\son\w+\s*=/i)
      expect(tag).not.toMatch(/="javascript:/i)
    }
  })
})

const nested = (depth: number) => {
  const open = Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`)
  return `Subject: deep\n${open.join('')}Content-Type: text/plain\n\nbottom\n`
}

describe('a message over a limit', () => {
  it('ends, however deep its parts lie', { timeout: 120_000 }, async () => {
    for (const depth of [10, 200, 5000]) {
      const end = await run('eml', nested(depth), 'txt')
      expect(isFailure(end) ? end.code : 'done').toMatch(depth === 10 ? /^done$/ : /^(done|limit_exceeded)$/)
    }
  })

  it('is converted up to a number of messages, with a warning [L-mail-messages]', { timeout: 120_000 }, async () => {
    const one = 'From a@example.org Tue Feb  3 10:00:00 2026\nSubject: x\n\nwords\n\n'
    const end = await done('mbox', one.repeat(mailLimits.messages + 5), 'txt')
    expect(end.warnings).toEqual(['The mailbox holds 1005 messages. The first 1000 were converted.'])
    expect((await done('mbox', one.repeat(mailLimits.messages), 'txt')).warnings).toEqual([])
  })

  it('gives a number of attachments at most [L-mail-attachments]', { timeout: 120_000 }, async () => {
    const part = '--b\nContent-Disposition: attachment; filename="../../x/a.txt"\n\ntext\n'
    const many = `Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n${part.repeat(mailLimits.attachments + 2)}--b--\n`
    const end = await done('eml', many, 'txt', { attachments: true })
    expect(end.files).toHaveLength(1 + mailLimits.attachments)
    expect(end.warnings[0]).toContain('2 attachments were left out.')
  })

  it('is refused if it is larger than any message [L-mail-bytes]', { timeout: 120_000 }, async () => {
    const large = Buffer.alloc(mailLimits.bytes + 1, 'x')
    expect(await run('eml', large, 'txt')).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('larger than 256 MiB'),
    })
  })

  it('is refused if it is not a message', { timeout: 120_000 }, async () => {
    expect(await run('msg', 'no compound file', 'pdf')).toMatchObject({ code: 'input_damaged' })
    expect(await run('eml', '', 'pdf')).toMatchObject({ code: 'input_damaged' })
  })

  it('with a damaged storage ends in a result or a failure', { timeout: 120_000 }, async () => {
    const whole = makeMsg()
    for (let at = 512; at < whole.length; at += 701) {
      const broken = Buffer.from(whole)
      broken.fill(0xff, at, at + 64)
      const end = await run('msg', broken, 'txt')
      expect(isFailure(end) ? end.code : 'done').toMatch(/^(done|input_damaged)$/)
    }
  })
})
