import type { Step } from '../engine.ts'
import { stampFile } from '../watermark/stamp.ts'
import { findEncoder } from './encoders.ts'
import { type PictureParams, pictureCall } from './picture-call.ts'

/** A picture libvips reads, and what is to become of it. */
export interface Finishing {
  readonly input: { readonly file: string; readonly format: string }
  readonly operation: string
  readonly params: PictureParams
  readonly n: number
  readonly to: string
  readonly out?: string
  /** Whether there are other decoders to ask. */
  readonly rescue?: boolean
}

/** What the picture runner needs to know of a picture that another program will pack. */
const shapeNames = [
  'x',
  'y',
  'width',
  'height',
  'fit',
  'rotate',
  'strip',
  'background',
  'density',
  'page',
  'strict',
  'position',
  'size',
  'margin',
] as const

/** The step that libvips does of the way to the final file: all of it, or the picture that another program packs. */
export function finishStep(work: Finishing): Step {
  const { input, operation, params, n, to, rescue, out = `out-${n}.${to}` } = work
  if (findEncoder(to) !== undefined) return shape(work)
  return pictureCall({
    op: operation,
    inputs: [input, ...besideOf(operation)],
    output: { file: out, format: to },
    params,
    ...(rescue && { rescue }),
  })
}

/** What is done by libvips also where another program packs the picture. */
const shaping: ReadonlySet<string> = new Set(['crop', 'watermark'])

/** Files of ours that a picture is made with. */
function besideOf(operation: string) {
  return operation === 'watermark' ? [stampFile] : []
}

export const readyFile = (n: number) => `ready-${n}.png`

/** The step that leaves a PNG of the right shape for an encoder. */
function shape({ input, operation, params, n, to, rescue }: Finishing): Step {
  const encoder = findEncoder(to)
  const given = shapeNames.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]))
  return pictureCall({
    op: shaping.has(operation) ? operation : 'convert',
    inputs: [input, ...besideOf(operation)],
    output: { file: readyFile(n), format: 'png' },
    ...(rescue && { rescue }),
    params: {
      ...Object.fromEntries(given),
      compression_level: 1,
      ...(encoder?.isDeep && { depth: '16' }),
      ...(encoder?.isOpaque && { flatten: true }),
      ...(to === 'ico' && { max_side: encoder?.maxSide ?? 0 }),
    },
  })
}
