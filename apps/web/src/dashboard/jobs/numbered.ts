/** Adds an index as a key to items that never move: two files may be equal in everything. */
export function numbered<T extends object>(list: readonly T[]): readonly (T & { readonly key: string })[] {
  return list.map((one, n) => ({ ...one, key: String(n) }))
}
