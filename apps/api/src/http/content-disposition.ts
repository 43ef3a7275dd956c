/** A header that makes browsers save the file under its name, with any characters (RFC 6266). */
export function attachment(filename: string): string {
  const name = filename.toWellFormed()
  // Old clients read the plain form: non-ASCII characters, and those that would end the quotes, become underscores.
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(name)}`
}

// encodeURIComponent does not encode these characters, but RFC 8187 requires it.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
