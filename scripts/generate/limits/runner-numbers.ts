const engines = new URL('../../../packages/engines/src/', import.meta.url)

/** Imports a script of a runner, which is plain JavaScript. */
async function load<Exports>(path: string): Promise<Exports> {
  return await import(new URL(path, engines).href)
}

/** The longest side each format can hold. */
export const { longestSide } = await load<{
  readonly longestSide: Readonly<Record<'jpg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff', number>>
}>('vips/encode.mjs')

/** The longest side of a drawing. */
export const { drawnSide } = await load<{ readonly drawnSide: number }>('vips/svg.mjs')

/** What a reference to an entity of a drawing counts for besides its text. */
export const { referenceBytes } = await load<{ readonly referenceBytes: number }>('vips/svg-entities.mjs')

/** The most parts of a stored page. */
export const { maxParts } = await load<{ readonly maxParts: number }>('browser/mhtml.mjs')
