const token = /\s*(?:"(?:[^"\\\n]|\\.){0,4096}"|-?\d[\d.eE+-]{0,32}|true|false|null|[[\]{},:])/y
// A string, number or word that the end of the text cuts.
const cutToken = /^\s*(?:"[^"\n]*|[-\d.eE+]*|[a-z]{0,5})$/

/** Tells whether a text that begins with a bracket goes on as JSON does: wiki pages and RTF begin so, too. */
export function looksLikeJson(start: string): boolean {
  let at = 0
  token.lastIndex = 0
  for (;;) {
    token.lastIndex = at
    if (!token.test(start)) break
    at = token.lastIndex
  }
  // Behind a whole document there may be another, or white space.
  return at > 1 && (cutToken.test(start.slice(at)) || /^\s*$/.test(start.slice(at)))
}
