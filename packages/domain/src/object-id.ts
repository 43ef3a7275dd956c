/**
 * Ids are 24 hex digits, as the API's users know them:
 *
 *   4 bytes second ┊ 2 bytes cell ┊ 3 bytes process ┊ 3 bytes counter
 *
 * The second leads, so ids sort by creation and a range of ids is a range of time.
 */
export type ObjectId = string

const pattern = /^[0-9a-fA-F]{24}$/

/** Whether a text has the form of an id, in upper or lower case. */
export function isObjectId(text: string): boolean {
  return pattern.test(text)
}

/** The second in which an id was made. */
export function createdAtOf(id: ObjectId): Date {
  return new Date(Number.parseInt(id.slice(0, 8), 16) * 1000)
}

/** Smaller than every other id: the lower bound of ranges that begin with whatever is oldest. */
export const firstId: ObjectId = '0'.repeat(24)

/** The smallest id of the second of a time: the lower bound of a time range. */
export function firstIdAt(time: Date): ObjectId {
  return hex(Math.floor(time.getTime() / 1000), 4).padEnd(24, '0')
}

export interface IdMint {
  /** A new id for the second of `at`, or of now. All ids of a job share its second, and so its partition. */
  next(at?: Date): ObjectId
}

export interface IdMintParts {
  /** The cell this process belongs to, 0 to 65,535. */
  readonly cell: number
  /** A number that no other running process of the cell has, 0 to 16,777,215. */
  readonly process: number
  readonly firstCount: number
  readonly now: () => Date
}

/** Creates ids that no other process creates: up to 16 million per second. */
export function createIdMint({ cell, process, firstCount, now }: IdMintParts): IdMint {
  const middle = hex(cell, 2) + hex(process, 3)
  let count = firstCount
  return {
    next(at = now()) {
      count = (count + 1) % 0x1000000
      return hex(Math.floor(at.getTime() / 1000), 4) + middle + hex(count, 3)
    },
  }
}

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0')
}
