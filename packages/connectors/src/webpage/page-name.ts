import { findFormat, splitName } from '@lathe/formats'
import { chooseFilename } from '../filename.ts'

/** The name of a page: the given one, else its title, else its host. Always has the extension of its format. */
export function pageName(given: string | undefined, title: string | undefined, url: string, ext = 'mhtml'): string {
  const name = chooseFilename(given, title === undefined ? undefined : withoutSlashes(title), new URL(url).hostname)
  const isNamed = findFormat(splitName(name).ext)?.ext === ext
  // Cleaned again: the extension must not make it too long.
  return isNamed ? name : chooseFilename(`${name}.${ext}`)
}

// In a title a slash separates words, not folders. If a page has no title, the browser uses its URL.
function withoutSlashes(title: string): string {
  return title.replaceAll(/[/\\\s]+/g, ' ').trim()
}
