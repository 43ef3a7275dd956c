import { invalidField, Problem } from '@lathe/domain'
import { findAbility } from '@lathe/engines'
import { describeFormat } from '@lathe/formats'
import { limits } from '../limits.ts'

/** What a `thumbnail` task needs to make a preview. */
export interface PreviewPayload {
  readonly output_format: 'webp' | 'jpg'
  readonly options: Readonly<Record<string, number>>
}

/** The payload for the preview of a page of a file. Throws a Problem if the format has no previews or no such page. */
export function planPreview(format: string, page: number): PreviewPayload {
  const what = describeFormat(format) ?? 'a file of unknown format'
  // Engines of documents, audio and video make no WebP.
  const to = (['webp', 'jpg'] as const).find((one) => findAbility('thumbnail', format, one))
  const ability = to && findAbility('thumbnail', format, to)
  if (!ability) {
    const list = 'GET /v1/query/formats/thumbnail?output_format=jpg'
    throw new Problem('no_preview', { msg: `There is no preview of ${what}. ${list} lists the formats with previews.` })
  }
  const hasPages = ability.options.some(({ name }) => name === 'page')
  if (!hasPages && page > 1) throw invalidField('page', `must be 1: the file is ${what}, which has a single page.`)
  const box = { width: limits.previewPixels, height: limits.previewPixels }
  return { output_format: to, options: { ...box, ...(hasPages && { page }) } }
}
