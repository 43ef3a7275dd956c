/** Text of a user on one line of at most 100 characters: control characters could end a header or a line. */
export function toLine(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 100)
}
