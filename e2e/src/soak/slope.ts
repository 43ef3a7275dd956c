/** A point of a series. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** How much y rises per x, by least squares; 0 for less than two points. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) }
  const spread = points.reduce((sum, { x }) => sum + (x - middle.x) ** 2, 0)
  if (!(spread > 0)) return 0
  return points.reduce((sum, { x, y }) => sum + (x - middle.x) * (y - middle.y), 0) / spread
}
