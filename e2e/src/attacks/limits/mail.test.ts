import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { mailStep } from '../../../../packages/engines/src/mail/mail-step.ts'
import { limitOf, runStep, withLimit } from '../support/run-step.ts'
import { isWithin, steps } from './steps.ts'

const MiB = 1024 ** 2

const bench = usePlanBench()

async function convert(format: string, content: string, options = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to: 'txt', options })
  if (end.kind !== 'done') throw new Error(`${end.code}: ${end.text}`)
  return end
}

const message = 'Subject: x\n\nwords of a message\n'
const end = (step: number) => (isWithin(step) ? 'done' : 'limit_exceeded')

// With a smaller number in the place of 256 MiB: it is the same code that counts.
describe('bytes of a message or mailbox, 256 MiB', () => {
  const own = mailStep({ kind: 'eml', input: 'in-0.eml', output: 'out-0.txt', text: true, attachments: false })

  it.each(steps)('%s [L-mail-bytes]', async (_, step) => {
    expect(limitOf(own, 'bytes')).toBe(256 * MiB)
    const limited = withLimit(own, 'bytes', message.length - step)
    expect((await runStep(bench, limited, { 'in-0.eml': message })).end).toBe(end(step))
  })
})

describe('messages of a mailbox, 1,000', () => {
  it.each(steps)('%s [L-mail-messages]', async (_, step) => {
    const one = `From a@example.org Tue Feb  3 10:00:00 2026\n${message}\n`
    const { files, warnings } = await convert('mbox', one.repeat(1000 + step))
    expect(String(files[0]?.bytes).match(/words of a message/g)).toHaveLength(Math.min(1000, 1000 + step))
    const reported = ['The mailbox holds 1001 messages. The first 1000 were converted.']
    expect(warnings).toEqual(isWithin(step) ? [] : reported)
  })
})

describe('attachments of a message, 200', () => {
  it.each(steps)('%s [L-mail-attachments]', async (_, step) => {
    const part = '--b\nContent-Disposition: attachment; filename="a.txt"\n\ntext\n'
    const head = 'Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n'
    const { files, warnings } = await convert('eml', `${head}${part.repeat(200 + step)}--b--\n`, { attachments: true })
    expect(files).toHaveLength(1 + Math.min(200, 200 + step))
    expect(warnings).toHaveLength(isWithin(step) ? 0 : 1)
  })
})

describe('bytes of messages as one page, 256 MiB [L-mail-page]', () => {
  const own = mailStep({ kind: 'eml', input: 'in-0.eml', output: 'page.html', text: false, attachments: false })
  const run = (limit: number) => runStep(bench, withLimit(own, 'page', limit), { 'in-0.eml': message })

  it('is the limit that a page is checked against', () => {
    expect(limitOf(own, 'page')).toBe(256 * MiB)
  })

  it.each(steps)('%s', async (_, step) => {
    const whole = await run(100_000)
    const size = String(whole.outputs['page.html']).length
    expect(size).toBeGreaterThan(500)
    expect((await run(size - step)).end).toBe(end(step))
  })
})
