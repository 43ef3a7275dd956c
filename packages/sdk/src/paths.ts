import { LatheError } from './errors.ts'

/**
 * A path with ids: `` path`/v1/process/jobs/${id}` ``. An id from elsewhere stays one segment of it, so that it cannot
 * lead to another endpoint.
 */
export function path(texts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw(texts, ...ids.map(toSegment))
}

function toSegment(id: string): string {
  // URLs resolve these, even if they are encoded.
  if (['', '.', '..'].includes(id)) throw new LatheError(`${JSON.stringify(id)} is not an id.`)
  return encodeURIComponent(id)
}
