import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Lathe, LatheError } from '@lathe/sdk'
import type { FileOperation } from '../batch/process-files.ts'
import { UsageError } from '../exit-codes.ts'
import { toOptionValues } from '../option-values.ts'

export interface PipeFlags {
  readonly from?: string
  readonly preset?: string
}

/** Converts stdin to stdout. The input is stored on disk, because its size must be known before it is sent. */
export async function pipe(
  lathe: Lathe,
  what: FileOperation,
  { from, preset }: PipeFlags,
  signal: AbortSignal,
): Promise<void> {
  if (process.stdin.isTTY)
    throw new UsageError('Nothing comes from stdin. Use: cat a.png | lathe convert - --to webp > a.webp')
  if (process.stdout.isTTY) throw new UsageError('The result is not text for a terminal. Send it to a file: > a.webp')
  if (what.given.size > 0 && !from)
    throw new UsageError('Say what comes from stdin, so that options can be checked: --from png')
  const { operation, to, given } = what
  const options =
    from && given.size > 0 ? toOptionValues(given, await lathe.options(operation, { from, to } as never)) : {}
  const folder = await mkdtemp(join(tmpdir(), 'lathe-'))
  try {
    const path = join(folder, from ? `stdin.${from}` : 'stdin')
    await pipeline(process.stdin, createWriteStream(path), { signal })
    const run = { signal, ...(preset && { preset }), ...(from && { inputFormat: from }) }
    const files = await lathe.run(operation, path, options as never, { ...run, ...(to && { to: to as never }) })
    const [file, ...others] = files
    if (!file || others.length > 0)
      throw new LatheError(`The result has ${files.length} files; stdout takes one. Use --output.`)
    await pipeline(Readable.fromWeb((await file.stream({ signal })) as never), process.stdout, { signal })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
