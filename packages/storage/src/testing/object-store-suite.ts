import { afterAll, beforeAll, describe } from 'vitest'
import type { ObjectStore } from '../object-store.ts'
import { testDeletes } from './delete-suite.ts'
import { testPuts } from './put-suite.ts'
import { testReads } from './read-suite.ts'

/** A store to test, and access to its leftovers. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: ObjectStore
  /** How many pieces of unfinished writes remain. */
  countRemains(): Promise<number>
}

/** Returns the store under test once it exists. */
export type Subject = () => StoreUnderTest

/**
 * The tests that every store must pass. The test file of each adapter passes a function that creates an empty store.
 */
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
