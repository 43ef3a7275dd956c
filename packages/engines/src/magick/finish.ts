import type { JsonObject, Step } from '../engine.ts'
import { pictureCall } from '../vips/picture-call.ts'
import { findEncoder } from './encoders.ts'

/** A picture libvips reads, and what is to become of it. */
export interface Finishing {
  readonly input: { readonly file: string; readonly format: string }
  readonly operation: string
  readonly params: JsonObject
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
] as const

/** The step that libvips does of the way to the final file: all of it, or the picture that another program packs. */
export function finishStep(work: Finishing): Step {
  const { input, operation, params, n, to, rescue, out = `out-${n}.${to}` } = work
  if (findEncoder(to) !== undefined) return shape(work)
  return pictureCall({
    op: operation,
    inputs: [input],
    output: { file: out, format: to },
    params,
    ...(rescue && { rescue }),
  })
}

export const readyFile = (n: number) => `ready-${n}.png`

/** The step that leaves a PNG of the right shape for an encoder. */
function shape({ input, operation, params, n, to, rescue }: Finishing): Step {
  const encoder = findEncoder(to)
  const given = shapeNames.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]))
  return pictureCall({
    op: operation === 'crop' ? 'crop' : 'convert',
    inputs: [input],
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
