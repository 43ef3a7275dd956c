import { detectFormat, detectionBytes, findFormat, resolveFormat } from '@lathe/formats'
import type { Named } from './read-name.ts'

export const sniffedBytes = detectionBytes

/** The format and kind of a file, from its first bytes and its name, by the rules of the service. */
export async function sniff(file: Blob, filename: string): Promise<Named> {
  const head = new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer())
  const format = findFormat(resolveFormat({ detected: detectFormat(head), filename }).ext ?? '')
  return format ? { source: format.ext, kind: format.family } : { source: '', kind: 'other' }
}
