import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Failure, isFailure } from '@lathe/domain'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { type BenchEnd, openPlanBench, type PlanBench } from '@lathe/testing'
import { expect } from 'vitest'
import { samplePdf } from './sample-pdf.ts'
import { openTripwire, type Tripwire } from './tripwire.ts'

/** A request for a hostile document. */
export interface Try {
  readonly format?: string
  readonly to?: string
  readonly operation?: ProcessingOperation
  readonly options?: GivenOptions
}

/** A bench for hostile documents, with a file, a variable and a port that no engine may see. */
export interface PdfAttacks extends AsyncDisposable {
  readonly bench: PlanBench
  readonly tripwire: Tripwire
  readonly canary: string
  /** A file that contains the canary. */
  readonly secret: string
  /** Runs the request within the time limit, and expects no canary in the output. */
  attack(content: string | Uint8Array, asked?: Try): Promise<BenchEnd | Failure>
  /** The text of an output PDF; empty for a failure. */
  textOf(end: BenchEnd | Failure): Promise<string>
  /** Everything in a PDF, with all streams unpacked. */
  insideOf(bytes: Uint8Array): Promise<string>
  /** Expects that an ordinary document can be drawn. */
  stillWorks(): Promise<void>
}

/** Opens the bench, the file, the variable and the port. */
export async function openPdfAttacks(): Promise<PdfAttacks> {
  const canary = 'CANARY-7f3a91'
  const folder = await mkdtemp(join(tmpdir(), 'lathe-canary-'))
  const secret = join(folder, 'canary')
  await writeFile(secret, canary)
  process.env.CANARY_ENV = canary
  const tripwire = await openTripwire()
  const bench = await openPlanBench()

  async function attack(content: string | Uint8Array, asked: Try = {}) {
    const { format = 'pdf', to = 'png', operation = 'convert', options = {} } = asked
    const started = performance.now()
    const end = await bench.run({ operation, sources: [{ format, content }], to, options })
    expect(performance.now() - started).toBeLessThan(130_000)
    if (!isFailure(end)) for (const { bytes } of end.files) expect(bytes.includes(canary)).toBe(false)
    return end
  }

  return {
    bench,
    tripwire,
    canary,
    secret,
    attack,
    async textOf(end) {
      if (isFailure(end)) return ''
      const io = { files: { 'x.pdf': end.files[0]?.bytes ?? '' }, outputs: ['x.txt'] }
      return String((await bench.tool('pdftotext', ['x.pdf', 'x.txt'], io)).outputs['x.txt'] ?? '')
    },
    async insideOf(bytes) {
      const io = { files: { 'x.pdf': bytes }, outputs: ['y.pdf'] }
      const { outputs } = await bench.tool('qpdf', ['--qdf', '--object-streams=disable', 'x.pdf', 'y.pdf'], io)
      return outputs['y.pdf']?.toString('latin1') ?? ''
    },
    async stillWorks() {
      const end = await attack(await samplePdf({ count: 1 }), { options: { dpi: 36 } })
      expect(end).toMatchObject({ kind: 'done' })
    },
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]()
      tripwire[Symbol.dispose]()
      delete process.env.CANARY_ENV
      await rm(folder, { recursive: true })
    },
  }
}
