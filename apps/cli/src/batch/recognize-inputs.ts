import { stat } from 'node:fs/promises'
import type { FoundFile } from './find-files.ts'

/** Whether a result would overwrite an input. */
export type IsInput = (result: string) => Promise<boolean>

/** Recognizes inputs, also under another name such as a link or another spelling. */
export async function recognizeInputs(files: readonly Pick<FoundFile, 'path' | 'url'>[]): Promise<IsInput> {
  const inputs = new Set<string>()
  for (const { path, url } of files) {
    const identity = url ? undefined : await identityOf(path)
    if (identity !== undefined) inputs.add(identity)
  }
  return async (result) => inputs.has((await identityOf(result)) ?? '')
}

/** The error for a result that would overwrite an input. */
export function wouldOverwriteInput(result: string): string {
  return `${result} is an input, and inputs are never overwritten. Choose another --output.`
}

/** What stays the same under every name of a file; undefined if there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  const info = await stat(path, { bigint: true }).catch(() => undefined)
  return info && `${info.dev}:${info.ino}`
}
