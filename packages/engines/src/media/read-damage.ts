import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'

/** The warning if only a part of a file could be read. */
export const toleratedDamage =
  'The input is incomplete or damaged in places: what could be read was converted. The option strict refuses such files.'

const nothingRead = 'The input holds no audio or video that can be decoded.'

// FFmpeg reports broken input in many ways. Any other error is a fault of the converter.
const damage =
  /Invalid data found|could not find codec parameters|Error (while decoding|submitting packet|during demuxing|decoding)|corrupt|partial file|truncat|premature|Header missing|CRC (mismatch|error)|bitstream error|concealing|moov atom not found|does not contain any stream|Cannot determine format of input/i
const noDecoder = /no decoder found|Decoder \S+ not found|Decoding requested/i
const emptyOutput = /Empty output stream|Output file is empty/

/** Interprets the error output of a run: damage is a warning unless it must be refused. */
export function damageReaders(isStrict: boolean): Required<Pick<ProcessStep, 'readExit' | 'readLog'>> {
  return {
    readExit,
    readLog: (stderr) => {
      if (!damage.test(stderr)) return undefined
      return isStrict ? failure('input_damaged', { detail: stderr }) : { warning: toleratedDamage }
    },
  }
}

function readExit({ stderr }: StepExit): Failure | undefined {
  const detail = stderr
  if (noDecoder.test(stderr)) {
    return failure('unsupported', { text: 'The file contains a stream that cannot be decoded.', detail })
  }
  if (damage.test(stderr)) return failure('input_damaged', { detail })
  // FFmpeg would otherwise leave a file without a frame, which no player opens.
  return emptyOutput.test(stderr) ? failure('input_damaged', { text: nothingRead, detail }) : undefined
}
