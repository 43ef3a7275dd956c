/** Things that never change places, each with its number as a key: two files may be the same in everything. */
export function numbered<T extends object>(list: readonly T[]): readonly (T & { readonly key: string })[] {
  return list.map((one, n) => ({ ...one, key: String(n) }))
}
