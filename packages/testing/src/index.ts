export { createTestClock, type TestClock } from './clock.ts'
export { createTestDatabase, type TestDatabase } from './database.ts'
export { type TestServices, testServices } from './services.ts'
export { type WaitOptions, waitFor } from './wait-for.ts'
