import { little } from './bytes-of.ts'

/** The header and content of a zip entry, stored or with the given method. */
export function zipEntry(name: string, content = '', method = 0): string {
  const sizes = little(content.length, 4).repeat(2)
  return `PK\x03\x04\x14\0\0\0${little(method, 2)}${'\0'.repeat(8)}${sizes}${little(name.length, 2)}\0\0${name}${content}`
}

/** A whole zip with these entries. */
export function zipFile(entries: readonly (readonly [name: string, content: string, method?: number])[]): string {
  let [front, directory] = ['', '']
  for (const [name, content, method = 0] of entries) {
    const sizes = little(content.length, 4).repeat(2)
    const lengths = `${little(name.length, 2)}${'\0'.repeat(12)}`
    directory += `PK\x01\x02\x14\0\x14\0\0\0${little(method, 2)}${'\0'.repeat(8)}${sizes}${lengths}${little(front.length, 4)}${name}`
    front += zipEntry(name, content, method)
  }
  const count = little(entries.length, 2).repeat(2)
  return `${front}${directory}PK\x05\x06\0\0\0\0${count}${little(directory.length, 4)}${little(front.length, 4)}\0\0`
}
