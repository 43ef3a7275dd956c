import { joinName, splitName } from '@lathe/formats'

/** A name that no other file of the folder has, whatever the case: the second is numbered. */
export function uniqueName(taken: Set<string>, folder: string, name: string): string {
  const { stem, ext } = splitName(name)
  const keyOf = (one: string) => `${folder}/${one}`.normalize('NFC').toLowerCase()
  let unique = name
  for (let n = 2; taken.has(keyOf(unique)); n++) unique = joinName(stem, ext === '' ? `-${n}` : `-${n}.${ext}`)
  taken.add(keyOf(unique))
  return unique
}
