/** The three places a limit is tried at: one below, the limit itself, one above. */
export const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

/** What a limit lets through and what it stops. */
export const isWithin = (step: number) => step <= 0
