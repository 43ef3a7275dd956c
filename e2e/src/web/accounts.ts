import { inject } from 'vitest'

/** The running service with accounts. All tests of pages share it: each creates its own people. */
export const accounts = inject('accounts')
