/** Text of a user on one line of at most 100 characters: control characters could end a header or a line. */
export function toLine(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 100)
}

/**
 * A name that a user has chosen, for a mail to somebody else: on one line and cut, without anything that a mail program
 * shows as a link. Characters that look like a dot, a colon or a slash become one by the normalization, or are listed.
 */
export function toName(text: string, chars = 100): string {
  const shown = [...toLine(text.normalize('NFKC').replace(/[.:/\\@\u3002\u2044\u2215]+(?=\S)/gu, ' '))]
  return shown.length <= chars ? shown.join('') : `${shown.slice(0, chars).join('').trimEnd()}…`
}
