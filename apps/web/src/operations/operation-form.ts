import type { Descriptor } from '../converter/option-rules.ts'

/** What the form of an operation is made of. */
export interface OperationForm {
  readonly name: string
  readonly summary: string
  readonly description: string
  /** Whether all files make one result. */
  readonly isTogether: boolean
  readonly output: 'chosen' | 'same' | 'contents' | { readonly usual: string }
  /** Files with a field of their own. */
  readonly roles: readonly RoleForm[]
  /** What is asked for instead of files, where an operation fetches what it works on. */
  readonly fields?: readonly FieldForm[]
}

export type FieldForm = Descriptor & { readonly isRequired: boolean }

export interface RoleForm {
  readonly name: string
  readonly description: string
  /** What it may be; whatever the others are if there is none. */
  readonly formats: readonly string[]
  readonly isOptional: boolean
}
