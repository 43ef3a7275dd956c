import { findFormat, splitName } from '@lathe/formats'
import { chooseFilename } from '../filename.ts'

/** What a page is called: as its owner says, else by its title, else by its host; always with the extension of its format. */
export function pageName(given: string | undefined, title: string | undefined, url: string, ext = 'mhtml'): string {
  const name = chooseFilename(given, title === undefined ? undefined : withoutSlashes(title), new URL(url).hostname)
  const isNamed = findFormat(splitName(name).ext)?.ext === ext
  // Cleaned once more: the extension must not make it too long.
  return isNamed ? name : chooseFilename(`${name}.${ext}`)
}

// In a title a slash parts words, not folders. Titles of addresses are what a browser gives pages that have none.
function withoutSlashes(title: string): string {
  return title.replaceAll(/[/\\\s]+/g, ' ').trim()
}
