/**
 * Engines that are installed, scaled and queued together. A task belongs to the family of the engine that does its main
 * part. The family also includes what else the task needs, such as rendering the pages of a document. `route` is for
 * conversions in several steps that need engines of several families: only workers that have all engines serve it.
 */
export const engineFamilies = ['image', 'av', 'office', 'pdf', 'browser', 'ocr', 'route'] as const

export type EngineFamily = (typeof engineFamilies)[number]

export function isEngineFamily(name: string): name is EngineFamily {
  return engineFamilies.some((family) => family === name)
}
