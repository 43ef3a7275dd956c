import type { ProcessStep } from '../engine.ts'
import { inertScript } from '../markup/inert-script.ts'
import { bookLimits } from '../markup/limits.ts'
import { scriptStep } from '../markup/script-step.ts'
import { textScript } from '../markup/text-script.ts'
import { bookScript } from './book-script.ts'
import { epubScript } from './epub-script.ts'
import { fb2Script } from './fb2-script.ts'
import { kindleScript } from './kindle-script.ts'
import { mobiScript } from './mobi-script.ts'
import { pageCss } from './page-css.ts'
import { sourceScript } from './source-script.ts'

export interface BookPage {
  readonly kind: 'epub' | 'fb2' | 'mobi' | 'html'
  readonly input: string
  readonly output: string
  /** Whether the page begins with the title of the book. */
  readonly titled: boolean
  /** The title of a book that has none. */
  readonly untitled: string
  readonly contents: boolean
  /** Whether the page has only the cover of the book, or else its title and first chapter. */
  readonly first?: boolean
  /** Whether images on the web keep their URLs, for the reader's browser to load. */
  readonly remote: boolean
  readonly fontSize?: number
}

/** Makes one clean page with embedded images from a book or from HTML that Pandoc made. */
export function bookStep({ fontSize, first = false, ...page }: BookPage): ProcessStep {
  const css = fontSize === undefined ? pageCss : `${pageCss}html { font-size: ${fontSize}pt; }\n`
  const { entries, bytes, ratio, freeBytes, page: pageBytes, text } = bookLimits
  const limits = { entries, bytes, ratio, freeBytes, page: pageBytes, text }
  return scriptStep({
    modules: {
      book: bookScript,
      epub: epubScript,
      fb2: fb2Script,
      kindle: kindleScript,
      mobi: mobiScript,
      inert: inertScript,
      text: textScript,
    },
    ask: ['book.json', { ...page, first, css, limits }],
    outputs: [page.output],
  })
}

/** Converts a text to UTF-8, removes what includes other files, and detects the Markdown dialect. */
export function decodeStep(kind: string, input: string, output: string): ProcessStep {
  return scriptStep({
    modules: { source: sourceScript, text: textScript },
    args: [input, output, kind, String(bookLimits.text)],
    outputs: [output],
  })
}
