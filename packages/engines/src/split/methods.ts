import { failure } from '@lathe/domain'
import { enumOption, integerOption, needs, type OptionCondition, textOption } from '../option-descriptor.ts'
import { pagesForm } from '../page-ranges.ts'

/** The option that sets where a new file begins, and the condition for options that belong to one of its values. */
export function splitMethods<Method extends string>(methods: Readonly<Record<Method, string>>, usual: NoInfer<Method>) {
  return {
    by: enumOption({ name: 'by', label: 'Split', hint: 'Where to split.' }, methods, usual),
    // The default method does not have to be named.
    onlyBy: (method: NoInfer<Method>): OptionCondition => ({
      ...needs('by', [{ value: method, hint: methods[method] }]),
      required: method !== usual,
    }),
  }
}

/** The methods to split a document with pages. */
export const pageMethods = {
  pages: 'After a number of pages',
  ranges: 'One file for each page range',
} as const

/** The options of these methods. */
export function pageMethodOptions(onlyBy: (method: keyof typeof pageMethods) => OptionCondition, mostPages: number) {
  return [
    integerOption(
      {
        name: 'pages_per_file',
        label: 'Pages per file',
        hint: 'Pages of each file. The last file may have fewer.',
        conditions: [onlyBy('pages')],
      },
      { min: 1, max: mostPages, byDefault: 1 },
    ),
    textOption(
      {
        name: 'ranges',
        label: 'Page ranges',
        hint: 'One file for each range, such as 1-3,4-6,7-. Pages in no range are left out.',
        conditions: [onlyBy('ranges')],
      },
      pagesForm,
    ),
  ]
}

/** The failure of a request without ranges. */
export const missingRanges = failure('unsupported', {
  text: 'The option ranges is required to split by ranges, such as 1-3,4-6,7-.',
})
