const token = /\s*(?:"(?:[^"\\\n]|\\.){0,4096}"|-?\d[\d.eE+-]{0,32}|true|false|null|[[\]{},:])/y
// A string, number or word that is cut off at the end of the text.
const cutToken = /^\s*(?:"[^"\n]*|[-\d.eE+]*|[a-z]{0,5})$/

/** Whether a text that begins with a bracket continues as JSON: wiki pages and RTF begin like this, too. */
export function looksLikeJson(start: string): boolean {
  let at = 0
  token.lastIndex = 0
  for (;;) {
    token.lastIndex = at
    if (!token.test(start)) break
    at = token.lastIndex
  }
  // A whole document may be followed by another one or by white space.
  return at > 1 && (cutToken.test(start.slice(at)) || /^\s*$/.test(start.slice(at)))
}
