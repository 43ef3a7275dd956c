import { findFormat } from '@lathe/formats'
import type { Item } from './item.ts'
import { webPage } from './web-page.ts'

/** The format and kind of a file. */
export type Named = Pick<Item, 'source' | 'kind'>

/** The format and kind of a file, from its name. */
export function readName(name: string): Named {
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

/** The format and kind of what a URL leads to, from its last part. A host is no file name: `example.ai` is no drawing. */
export function readAddress(address: string): Named {
  const named = readName(new URL(address).pathname === '/' ? '' : nameOfAddress(address))
  return named.source === 'html' ? webPage : named
}
