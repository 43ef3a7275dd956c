import { joinName, splitName } from '@lathe/formats'

/** A name that no other file in the folder has, ignoring case. Duplicates get a number. */
export function uniqueName(taken: Set<string>, folder: string, name: string): string {
  const { stem, ext } = splitName(name)
  const keyOf = (one: string) => `${folder}/${one}`.normalize('NFC').toLowerCase()
  let unique = name
  for (let n = 2; taken.has(keyOf(unique)); n++) unique = joinName(stem, ext === '' ? `-${n}` : `-${n}.${ext}`)
  taken.add(keyOf(unique))
  return unique
}
