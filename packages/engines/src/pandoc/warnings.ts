import { wordIn } from '../json-lines.ts'
import { reportOf } from '../markup/script-step.ts'

const texts: Readonly<Record<string, string>> = {
  parts: 'Some parts of the book are damaged or missing and were left out.',
  missing: 'Images stored outside of the file are not in the result. Embed them in it as data URLs.',
  remote: 'Images on the web were not loaded.',
  held: 'Images are not in the result, as its format cannot hold them. Convert to docx, html or md to keep them.',
  includes: 'Other files that the text includes were left out. Put their content into it.',
}

/** The reports of scripts and filters as warnings for the client. */
export function warningTexts(stdout: readonly string[], to: string): readonly string[] {
  const { warnings } = reportOf(stdout)
  const known = Array.isArray(warnings) ? warnings.map(wordIn) : []
  // A browser that shows the HTML loads these images itself.
  const wanted = known.filter((word) => to !== 'html' || ['parts', 'includes'].includes(word))
  return wanted.flatMap((word) => texts[word] ?? [])
}
