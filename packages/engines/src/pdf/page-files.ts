/** The pages of a document as files for the picture runner, which knows files by letters and one number: the page's. */
export interface PageFiles {
  /** What poppler is told to begin their names with. */
  readonly out: string
  fileOf(page: number, format: string): string
}

/** Names the drawn pages of the file with this number; poppler gives each as many digits as the last page has. */
export function pageFiles(number: string, count: number): PageFiles {
  const out = `page${[...number].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('')}`
  const digits = String(count).length
  return { out, fileOf: (page, format) => `${out}-${String(page).padStart(digits, '0')}.${format}` }
}
