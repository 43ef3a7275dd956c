/** A header that makes browsers save the file under its name, whatever characters that has (RFC 6266). */
export function attachment(filename: string): string {
  const name = filename.toWellFormed()
  // Old clients read the plain form: what ASCII does not have, and what would end the quotes, becomes an underscore.
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(name)}`
}

// encodeURIComponent leaves these as they are; RFC 8187 does not.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
