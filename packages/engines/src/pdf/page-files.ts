/** The names of page images for the image runner, which accepts letters and one number: that of the page. */
export interface PageFiles {
  /** The prefix of the names, as an argument of poppler. */
  readonly out: string
  fileOf(page: number, format: string): string
}

/** Names the drawn pages of the file with this number. Poppler pads page numbers to the digits of the last page. */
export function pageFiles(number: string, count: number): PageFiles {
  const out = `page${[...number].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('')}`
  const digits = String(count).length
  return { out, fileOf: (page, format) => `${out}-${String(page).padStart(digits, '0')}.${format}` }
}
