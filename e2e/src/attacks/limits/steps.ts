/** The three values at which a limit is tested: one below, the limit itself, one above. */
export const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

/** Whether a limit allows this step. */
export const isWithin = (step: number) => step <= 0
