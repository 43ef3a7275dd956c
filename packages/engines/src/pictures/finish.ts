import type { Step } from '../engine.ts'
import { stampFile } from '../watermark/stamp.ts'
import { findEncoder } from './encoders.ts'
import { type PictureParams, pictureCall } from './picture-call.ts'

/** An image that libvips reads, and the operation on it. */
export interface Finishing {
  readonly input: { readonly file: string; readonly format: string }
  readonly operation: string
  readonly params: PictureParams
  readonly n: number
  readonly to: string
  readonly out?: string
  /** Whether there are other decoders to try. */
  readonly rescue?: boolean
}

/** The options that the image runner needs for an image that another program encodes. */
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

/** The step of libvips: it writes the final file, or the image that another program encodes. */
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

/** Operations that libvips does even if another program encodes the image. */
const shaping: ReadonlySet<string> = new Set(['crop', 'watermark'])

/** Our own files that are additional inputs. */
function besideOf(operation: string) {
  return operation === 'watermark' ? [stampFile] : []
}

export const readyFile = (n: number) => `ready-${n}.png`

/** The step that prepares a PNG for an encoder. */
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
