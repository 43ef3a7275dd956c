import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { dicomStepLimits, dicomLimits as limits } from './limits.ts'
import { dicomTool } from './tool.ts'

/** The facts from the header of a file. */
export interface Scan {
  readonly frames: number
  /** Pixels of one frame. */
  readonly pixels: number
  /** Whether text is drawn into the image, if the file declares it. */
  readonly hasTexts?: boolean
}

const tags = { syntax: '0002,0010', frames: '0028,0008', rows: '0028,0010', columns: '0028,0011', texts: '0028,0301' }

/** The step that reads the header. Its standard output is for `readScan`. */
export function probeStep(file: string): ProcessStep {
  const wanted = Object.values(tags).flatMap((tag) => ['+P', tag])
  return {
    kind: 'process',
    profile: dicomTool.name,
    program: 'dcmdump',
    // Numbers instead of names for identifiers; long values are not loaded.
    args: ['-Un', '-M', ...wanted, file],
    outputs: [],
    limits: dicomStepLimits,
    weight: 0,
    capture: true,
    readExit: damaged,
  }
}

/** Both tools exit with 1 and a message if they cannot read a file, and with a higher code for wrong arguments. */
export function damaged({ code, stderr }: StepExit): Failure | undefined {
  return code === 1 ? failure('input_damaged', { detail: stderr.slice(-2000) }) : undefined
}

const noImage = 'The file holds no image. DICOM is also used for reports, folders and measurements.'
const saveAs = 'Save it uncompressed, then import that.'

/** Parses and checks the output of `dcmdump`. */
export function readScan(stdout: string): Scan | Failure {
  const [rows, columns] = [numberOf(stdout, tags.rows), numberOf(stdout, tags.columns)]
  if (rows === undefined || columns === undefined) return failure('unsupported', { text: noImage })
  const unread = undecoded.find(([pattern]) => pattern.test(textOf(stdout, tags.syntax) ?? ''))
  if (unread)
    return failure('unsupported', { text: `The image is stored as ${unread[1]}, which cannot be read. ${saveAs}` })
  const pixels = rows * columns
  if (pixels > limits.pixels) {
    const text = `The image has ${columns} x ${rows} pixels. The limit is ${limits.pixels.toLocaleString('en')} pixels.`
    return failure('limit_exceeded', { text })
  }
  const texts = textOf(stdout, tags.texts)
  return {
    frames: Math.max(numberOf(stdout, tags.frames) ?? 1, 1),
    pixels,
    ...(texts !== undefined && { hasTexts: texts.trim() === 'YES' }),
  }
}

/** Transfer syntaxes that DCMTK cannot decode, by identifier. */
const undecoded: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^1\.2\.840\.10008\.1\.2\.4\.(?:9[0-5]|20[1-5])$/, 'JPEG 2000'],
  [/^1\.2\.840\.10008\.1\.2\.4\.10\d(?:\.1)?$/, 'video'],
  [/^1\.2\.840\.10008\.1\.2\.4\.11[0-2]$/, 'JPEG XL'],
]

// Lines such as `(0028,0010) US 12 # 2, 1 Rows`. Texts and identifiers are in brackets. Nested elements come later, if
// at all.
function textOf(stdout: string, tag: string): string | undefined {
  const line = stdout.split('\n').find((one) => one.startsWith(`(${tag})`))
  return line === undefined ? undefined : (/^\([\da-f,]{9}\) [A-Z]{2} \[?([^\]#]{0,80})/.exec(line)?.[1] ?? '').trim()
}

function numberOf(stdout: string, tag: string): number | undefined {
  const digits = /^\d{1,9}/.exec(textOf(stdout, tag) ?? '')?.[0]
  return digits === undefined ? undefined : Number(digits)
}
