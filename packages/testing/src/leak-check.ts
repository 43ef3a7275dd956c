import { afterAll } from 'vitest'
import { waitFor } from './wait-for.ts'

// A leftover process would disturb the next test file, where it is hard to tell which file started it. Setup files are
// loaded first, so this runs after every afterAll of the test file.
const before = countChildren()
afterAll(() => waitFor(() => countChildren() <= before, { withinMs: 5_000, what: 'the end of every child process' }))

function countChildren(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
}
