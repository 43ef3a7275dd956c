import { findFormat } from '@lathe/formats'
import type { Kind } from './item.ts'

/** The format and kind of a file, from its name. */
export function readName(name: string): { readonly source: string; readonly kind: Kind } {
  const dot = name.lastIndexOf('.')
  const format = dot < 0 ? undefined : findFormat(name.slice(dot + 1))
  return format ? { source: format.ext, kind: format.family } : { source: '', kind: 'other' }
}

/** The last part of a URL, as a file name. */
export function nameOfAddress(address: string): string {
  const { pathname, hostname } = new URL(address)
  const last = pathname.split('/').findLast((part) => part !== '')
  if (last === undefined) return hostname
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
