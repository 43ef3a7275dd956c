import type { Descriptor } from '../converter/option-rules.ts'

/** The description of an operation's form. */
export interface OperationForm {
  readonly name: string
  readonly summary: string
  readonly description: string
  /** Whether all files become one result. */
  readonly isTogether: boolean
  readonly output: 'chosen' | 'same' | 'contents' | { readonly usual: string }
  /** Files with their own field. */
  readonly roles: readonly RoleForm[]
  /** The fields to show instead of files, for operations that fetch their input. */
  readonly fields?: readonly FieldForm[]
}

export type FieldForm = Descriptor & { readonly isRequired: boolean }

export interface RoleForm {
  readonly name: string
  readonly description: string
  /** The allowed formats; those of the other files if empty. */
  readonly formats: readonly string[]
  readonly isOptional: boolean
}
