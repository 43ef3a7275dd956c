import { Transform } from 'node:stream'
import type { Allowance } from './allowance.ts'

/** Passes bytes on as long as the allowance lasts, and fails at the first byte beyond it. */
export function metered(allowance: Allowance): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (allowance.takeBytes(chunk.length)) done(null, chunk)
      else done(new Error('the allowance is spent'))
    },
  })
}
