const oneRange = String.raw`(?:\d{1,5}(?:-(?:\d{1,5})?)?|-\d{1,5})`

/** Pages and ranges of them, `1-3,5,8-`, as they stand within a regular expression. */
export const pagesWord = `${oneRange}(?:,${oneRange}){0,199}`

/** Sides of sheets of paper in millimetres, upright. */
export const paperSizes = {
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
  tabloid: [279.4, 431.8],
} as const

/** What may be asked of a page that is printed or drawn, stored or live, and what it is when nothing is said. */
export const printBounds = {
  /** Empty space around, in millimetres. */
  margin: { min: 0, max: 50, byDefault: 10 },
  scale: { min: 0.1, max: 2, byDefault: 1 },
  quality: { min: 1, max: 100, byDefault: 90 },
} as const
