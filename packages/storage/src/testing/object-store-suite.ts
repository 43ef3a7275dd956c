import { afterAll, beforeAll, describe } from 'vitest'
import type { ObjectStore } from '../object-store.ts'
import { testDeletes } from './delete-suite.ts'
import { testPuts } from './put-suite.ts'
import { testReads } from './read-suite.ts'

/** A store to test, and a look behind it. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: ObjectStore
  /** How many pieces of unfinished writes lie around. */
  countRemains(): Promise<number>
}

/** Gives the store under test once it is made. */
export type Subject = () => StoreUnderTest

/** What every store must do. Each adapter's test file calls this with its own way to make an empty one. */
export function testObjectStore(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps the ObjectStore contract`, () => {
    let made: StoreUnderTest
    beforeAll(async () => {
      made = await make()
    })
    afterAll(async () => {
      await made[Symbol.asyncDispose]()
    })
    testPuts(() => made)
    testReads(() => made)
    testDeletes(() => made)
  })
}
