import type { JsonObject, Step } from '../engine.ts'
import { pictureCall } from '../vips/picture-call.ts'
import { encode } from './encode.ts'
import { findEncoder, type Writable } from './encoders.ts'

/** A picture libvips reads, and what is to become of it. */
export interface Finishing {
  readonly input: { readonly file: string; readonly format: string }
  readonly operation: string
  readonly params: JsonObject
  readonly n: number
  readonly to: string
}

/** What the picture runner needs to know of a picture that another program will pack. */
const shapeNames = ['x', 'y', 'width', 'height', 'fit', 'rotate', 'strip', 'background', 'density', 'page'] as const

/** The steps from a picture libvips reads to the final file. */
export function finish(work: Finishing): readonly Step[] {
  const { input, operation, params, n, to } = work
  const out = `out-${n}.${to}`
  if (findEncoder(to) === undefined) {
    return [pictureCall({ op: operation, inputs: [input], output: { file: out, format: to }, params })]
  }
  return [shape(work), encode(to as Writable, { file: readyFile(n), out, params })]
}

export const readyFile = (n: number) => `ready-${n}.png`

/** The step that leaves a PNG of the right shape for an encoder. */
export function shape({ input, operation, params, n, to }: Finishing): Step {
  const encoder = findEncoder(to)
  const given = shapeNames.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]))
  return pictureCall({
    op: operation === 'crop' ? 'crop' : 'convert',
    inputs: [input],
    output: { file: readyFile(n), format: 'png' },
    params: {
      ...Object.fromEntries(given),
      compression_level: 1,
      ...(encoder?.isDeep && { depth: '16' }),
      ...(encoder?.isOpaque && { flatten: true }),
      ...(to === 'ico' && { max_side: encoder?.maxSide ?? 0 }),
    },
  })
}
