import { operations } from '../generated/operations.ts'
import type { OperationForm } from './operation-form.ts'

// The list of files has its own controls for these.
const elsewhere: ReadonlySet<string> = new Set(['convert', 'merge', 'crop', 'trim'])

/** The operations that have a form. */
export const offered: readonly OperationForm[] = operations.filter(({ name }) => !elsewhere.has(name))
