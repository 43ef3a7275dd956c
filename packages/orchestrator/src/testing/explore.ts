import type { Interleaving } from './gate.ts'

/** Chooses the order of each run: one half systematic, one fork after another from the end, the other half random. */
export interface Explorer {
  /** How to choose in the next run; undefined once every order was tried, or enough of them. */
  next(): ((position: number) => number) | undefined
  note(run: Interleaving): void
  /** Whether every order was tried. */
  readonly isExhaustive: boolean
}

/** Tries every order of two sequences, or `most` of them. */
export function createExplorer(most: number, seed: number): Explorer {
  // The choices of the current path; the rest of the run takes the first side of each fork.
  let path: number[] | undefined = []
  let tried = 0
  let state = seed | 1
  const flip = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
    return (state >>> 16) & 1
  }
  return {
    get isExhaustive() {
      return path === undefined
    },
    next() {
      if (path === undefined || tried >= most) return undefined
      tried += 1
      const fixed = path
      return tried <= Math.ceil(most / 2) ? (position) => fixed[position] ?? 0 : flip
    },
    note({ choices, forks }) {
      if (tried > Math.ceil(most / 2)) return
      // Each fork takes its first side, then its second: the last fork still on its first side is next.
      const last = forks.findLast((at) => choices[at] === 0)
      path = last === undefined ? undefined : [...choices.slice(0, last), 1]
    },
  }
}
