const oneRange = String.raw`(?:\d{1,5}(?:-(?:\d{1,5})?)?|-\d{1,5})`

/** Pages and page ranges, `1-3,5,8-`, as part of a regular expression. */
export const pagesWord = `${oneRange}(?:,${oneRange}){0,199}`

/** Width and height of paper in millimeters, in portrait orientation. */
export const paperSizes = {
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
  tabloid: [279.4, 431.8],
} as const

/** The allowed and default values for printing or drawing a page, stored or live. */
export const printBounds = {
  /** In millimeters. */
  margin: { min: 0, max: 50, byDefault: 10 },
  scale: { min: 0.1, max: 2, byDefault: 1 },
  quality: { min: 1, max: 100, byDefault: 90 },
} as const
