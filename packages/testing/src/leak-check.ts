import { afterAll } from 'vitest'
import { waitFor } from './wait-for.ts'

// A process left behind would disturb the next file, and nobody would know whose it was.
// Set-up files come first, so this runs after every afterAll of the test file itself.
const before = countChildren()
afterAll(() => waitFor(() => countChildren() <= before, { withinMs: 5_000, what: 'the end of every child process' }))

function countChildren(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
}
