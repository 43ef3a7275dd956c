/** The maximum length of a name in bytes of UTF-8: the limit of common file systems. */
export const maxFilenameBytes = 255

/** Splits a name at its last dot. A name that only begins with a dot has no extension. */
export function splitName(filename: string): { stem: string; ext: string } {
  const dot = filename.lastIndexOf('.')
  if (dot <= 0) return { stem: filename, ext: '' }
  return { stem: filename.slice(0, dot), ext: filename.slice(dot + 1) }
}

/**
 * Turns any uploaded file name into a plain name: no folders, no control characters, nothing that reverses text, at
 * most 255 bytes. A name that is already plain is returned unchanged; `undefined` means that nothing usable remains.
 * The result is data to store and show, never a path to open.
 */
export function cleanFilename(name: string): string | undefined {
  const base = baseName(name.slice(-longestLookedAt))
  const visible = Array.from(base.toWellFormed()).filter(isPlain).join('')
  const trimmed = trimName(visible)
  if (trimmed === '') return undefined
  return cutName(isDevice(trimmed) ? `_${trimmed}` : trimmed)
}

/** The same for a path of folders, part by part. Parts that become empty are dropped. */
export function cleanFolder(path: string): string {
  return path
    .split('/')
    .flatMap((part) => cleanFilename(part) ?? [])
    .join('/')
}

// The extension is at the end of a name, and 4,096 characters are more than any path may have.
const longestLookedAt = 4096

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** False for control characters, line and paragraph separators, and marks that reverse or hide text. */
function isPlain(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false
  const isDirection = code === 0x61c || code === 0x200e || code === 0x200f
  const isOverride = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  return !isDirection && !isOverride && code !== 0xfeff
}

// Windows drops dots and spaces at the end of a name; `.` and `..` are folders and are removed with them.
function trimName(name: string): string {
  let end = name.length
  while (end > 0 && '. '.includes(name.charAt(end - 1))) end--
  let start = 0
  while (start < end && name.charAt(start) === ' ') start++
  return name.slice(start, end)
}

const devices = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i

// Windows opens a device for these names with any extension, so a downloaded archive could not be unpacked.
function isDevice(name: string): boolean {
  const dot = name.indexOf('.')
  return devices.test((dot === -1 ? name : name.slice(0, dot)).trimEnd())
}

/** Joins a stem and a fixed end. The stem is shortened if both are too long for a name. */
export function joinName(stem: string, end: string): string {
  return byteLength(stem) + byteLength(end) <= maxFilenameBytes ? stem + end : cutStem(stem, end)
}

/** Shortens the stem, never the extension, and never in the middle of a character. */
function cutName(name: string): string {
  if (byteLength(name) <= maxFilenameBytes) return name
  const { stem, ext } = splitName(name)
  return ext === '' || byteLength(ext) > 32 ? cutStem(name, '') : cutStem(stem, `.${ext}`)
}

function cutStem(stem: string, end: string): string {
  let room = maxFilenameBytes - byteLength(end)
  let kept = ''
  for (const character of stem) {
    room -= byteLength(character)
    if (room < 0) break
    kept += character
  }
  return trimName(kept) + end
}

const encoder = new TextEncoder()

function byteLength(text: string): number {
  return encoder.encode(text).length
}
