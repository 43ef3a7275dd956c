import { type Failure, failure } from '@lathe/domain'
import { pagesWord } from '@lathe/operations'
import { type OptionDescriptor, textOption } from './option-descriptor.ts'

/** Pages from `first` to `last`, both counted from 1; in reverse order if `last` is smaller. */
export interface PageRange {
  readonly first: number
  readonly last: number
}

/** The syntax of a page selection: `1-3,5,8-`. */
export const pagesPattern = new RegExp(`^${pagesWord}$`)

/** What an option that takes pages accepts. */
export const pagesForm = {
  pattern: pagesPattern,
  maxLength: 1000,
  expects: 'page numbers or ranges such as 1-3,5,8-',
}

/** Describes the option `pages`. */
export function pagesOption(hint: string): OptionDescriptor<'pages', string> {
  const form = 'Page numbers and ranges such as 1-3,5,8- (the first three, the fifth, the eighth to the last).'
  return textOption({ name: 'pages', label: 'Pages', hint: `${hint} ${form}` }, pagesForm)
}

/** Parses a page selection for a document with `count` pages. No selection means all pages. */
export function parsePages(text: string | undefined, count: number, option = 'pages'): readonly PageRange[] | Failure {
  if (text === undefined) return [{ first: 1, last: count }]
  const ranges = text.split(',').map((part) => parseRange(part, count))
  const outside = ranges.find(({ first, last }) => first < 1 || last < 1 || first > count || last > count)
  if (outside === undefined) return ranges
  const text_ = `The option ${option} asks for a page that does not exist: the document has ${count} pages.`
  return failure('unsupported', { text: text_ })
}

function parseRange(part: string, count: number): PageRange {
  const dash = part.indexOf('-')
  if (dash === -1) return { first: Number(part), last: Number(part) }
  const [first, last] = [part.slice(0, dash), part.slice(dash + 1)]
  return { first: first === '' ? 1 : Number(first), last: last === '' ? count : Number(last) }
}

/** The pages of a selection in document order, without duplicates. */
export function sortedPages(ranges: readonly PageRange[]): readonly number[] {
  return [...new Set(listPages(ranges))].sort((a, b) => a - b)
}

/** The pages of a selection in the given order, with duplicates. */
export function listPages(ranges: readonly PageRange[]): readonly number[] {
  return ranges.flatMap(({ first, last }) => {
    const step = first <= last ? 1 : -1
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, n) => first + n * step)
  })
}
