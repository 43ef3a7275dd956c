import { describe, expect, it } from 'vitest'
import { readReport } from './report.ts'

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const attached = (...names: readonly string[]) =>
  names.map((name, n) => line({ file: `att-${n + 1}.bin`, name })).join('')

describe('readReport', () => {
  it('names attachments by their sanitized, unique names', () => {
    const stdout = attached('report.PDF', '../../etc/passwd', 'a\u202egpj.exe', 'report.pdf', '', 'x.tar.gz')
    const { outputs } = readReport([stdout], true)
    expect(outputs.map(({ file, format, name }) => [file, format, name])).toEqual([
      ['att-1.bin', 'pdf', 'report.PDF'],
      ['att-2.bin', 'bin', 'passwd'],
      ['att-3.bin', 'exe', 'agpj.exe'],
      ['att-4.bin', 'pdf', 'report-4.pdf'],
      ['att-5.bin', 'bin', 'attachment-5'],
      ['att-6.bin', 'gz', 'x.tar.gz'],
    ])
  })

  it('takes no file that is not one of ours', () => {
    expect(readReport([line({ file: '../in-0.eml', name: 'x' })], true).outputs).toEqual([])
  })

  it('says what was left out', () => {
    const counts = { left: 3, remote: true, count: 1200, messages: 1000 }
    expect(readReport([line(counts)], true).warnings).toEqual([
      '3 attachments were left out. The option attachments adds them as files.',
      'Images on the web were not loaded.',
      'The mailbox holds 1200 messages. The first 1000 were converted.',
    ])
    expect(readReport([line({ left: 0, remote: true, count: 1, messages: 1 })], false).warnings).toEqual([])
  })
})
