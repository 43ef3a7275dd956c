const engines = new URL('../../../packages/engines/src/', import.meta.url)

/** Imports a runner script, which is plain JavaScript. */
async function load<Exports>(path: string): Promise<Exports> {
  return await import(new URL(path, engines).href)
}

/** The maximum side length by format. */
export const { longestSide } = await load<{
  readonly longestSide: Readonly<Record<'jpg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff', number>>
}>('vips/encode.mjs')

/** The maximum side length of a drawing. */
export const { drawnSide } = await load<{ readonly drawnSide: number }>('vips/svg.mjs')

/** How many bytes a reference to an entity in an SVG counts in addition to its text. */
export const { referenceBytes } = await load<{ readonly referenceBytes: number }>('vips/svg-entities.mjs')

/** The maximum number of parts of an MHTML page. */
export const { maxParts } = await load<{ readonly maxParts: number }>('browser/mhtml.mjs')
