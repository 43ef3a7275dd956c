import { Transform } from 'node:stream'
import type { Allowance } from './allowance.ts'

/** Passes bytes on as long as there is an allowance for them, and breaks off at the first that is too many. */
export function metered(allowance: Allowance): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (allowance.takeBytes(chunk.length)) done(null, chunk)
      else done(new Error('the allowance is spent'))
    },
  })
}
