import { describe, expect, it } from 'vitest'
import { damageReaders, toleratedDamage } from './read-damage.ts'

const tolerant = damageReaders(false)
const strict = damageReaders(true)
const decodeError = '[dec:aac] Error submitting packet to decoder: Invalid data found when processing input'
const empty = '[aost#0:0] Empty output stream'

describe('the log of a run that succeeded', () => {
  it.each([
    decodeError,
    '[mov] stream 0, offset 0x8a1: partial file',
    '[in#0/matroska] Error during demuxing: Input/output error',
    '[mp3float] Header missing',
    '[h264] concealing 120 DC, 120 AC, 120 MV errors in P frame',
  ])('makes a warning of %j, or a failure where damage is refused', (line) => {
    expect(tolerant.readLog(line)).toEqual({ warning: toleratedDamage })
    expect(strict.readLog(line)).toMatchObject({ code: 'input_damaged' })
  })

  it('is nothing to mention where the input was sound', () => {
    for (const line of ['', '[mjpeg] overread 8', 'Svt[info]: -------------------']) {
      expect(tolerant.readLog(line)).toBeUndefined()
      expect(strict.readLog(line)).toBeUndefined()
    }
  })
})

describe('the exit of a run that failed', () => {
  const read = (readers: typeof tolerant, stderr: string) => readers.readExit({ code: 1, stderr })

  it('is damage where packets were broken, and the fault of the engine otherwise', () => {
    expect(read(tolerant, decodeError)).toMatchObject({ code: 'input_damaged' })
    expect(read(tolerant, 'Conversion failed!')).toBeUndefined()
    expect(read(tolerant, 'Decoding requested, but no decoder found for: none')).toMatchObject({ code: 'unsupported' })
  })

  it('says that nothing could be decoded where there was nothing to encode', () => {
    expect(read(tolerant, empty)).toMatchObject({ code: 'input_damaged', text: expect.stringContaining('no audio') })
    expect(read(tolerant, `${decodeError}\n${empty}`)).not.toHaveProperty('text')
  })
})
