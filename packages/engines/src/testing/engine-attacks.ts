import { isFailure } from '@lathe/domain'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import { expect } from 'vitest'
import { reveal } from './reveal.ts'
import { openTripwire } from './tripwire.ts'

/** A file of the engine root that every program may read. An output that contains its words has read it. */
export const canary = '/etc/passwd'
const canaryWords = 'nobody:x:65534'

/** How a hostile file ended: `done`, or the code of its failure. */
export interface AttackEnd {
  readonly code: string
  readonly text: string
  readonly files: readonly { readonly name?: string; readonly bytes: Buffer }[]
  readonly warnings: readonly string[]
  /** All output, with packed parts unpacked. */
  readonly shown: string
}

interface Asked {
  readonly operation?: ProcessingOperation
  readonly options?: GivenOptions
}

/** A bench for hostile files, with a port that no engine may reach. */
export interface EngineAttacks extends AsyncDisposable {
  readonly bench: PlanBench
  /** The URL of the port. */
  readonly url: string
  /** Converts a hostile file. Expects no words of the canary in the output and no connection to the port. */
  run(from: string, content: string | Uint8Array, to: string, asked?: Asked): Promise<AttackEnd>
}

/** Opens the bench and the port, and checks that a program can read the canary if it tries. */
export async function openEngineAttacks(): Promise<EngineAttacks> {
  await using parts = new AsyncDisposableStack()
  const bench = parts.use(await openPlanBench())
  const tripwire = parts.use(await openTripwire())
  const { outputs } = await bench.tool('/bin/sh', ['-c', `cat ${canary} > seen`], { outputs: ['seen'] })
  if (!outputs.seen?.includes(canaryWords)) throw new Error('the canary cannot be read, so no test here means anything')
  const all = parts.move()
  return {
    bench,
    url: `http://127.0.0.1:${tripwire.port}`,
    async run(from, content, to, { operation = 'convert', options = {} } = {}) {
      const end = await bench.run({ operation, sources: [{ format: from, content }], to, options })
      const files = isFailure(end) ? [] : end.files
      const shown = files.map(({ bytes }) => reveal(bytes)).join('\n')
      const said = isFailure(end) ? (end.text ?? '') : end.warnings.join('\n')
      for (const form of formsOf(canaryWords)) expect(shown + said).not.toContain(form)
      expect(tripwire.hits()).toBe(0)
      if (isFailure(end)) return { code: end.code, text: end.text ?? '', files, warnings: [], shown }
      return { code: 'done', text: '', files, warnings: end.warnings, shown }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** The encodings in which words may appear. The file begins with them, so its base64 begins with theirs. */
function formsOf(words: string): readonly string[] {
  const bytes = Buffer.from(words)
  const wide = Buffer.from(words, 'utf16le').toString('latin1')
  return [words, wide, bytes.toString('hex'), bytes.subarray(0, 12).toString('base64')]
}
