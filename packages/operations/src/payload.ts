import type { Hidden } from './fields.ts'
import type { BodyOf, Operation } from './operations.ts'

type Bodies = { [Name in Operation]: BodyOf<Name> }[Operation]
type FieldOf<Body> = Body extends unknown ? keyof Body : never
type ValueOf<Body, Field extends PropertyKey> = Body extends { readonly [F in Field]?: infer Value } ? Value : never
type FieldName = Exclude<FieldOf<Bodies>, 'input'>

/**
 * The fields of a task's body but for its input, whatever its operation: each has the type of its schema and may be
 * missing. Fields whose values are masked have the type `Masked`.
 */
export type Fields<Masked> = {
  readonly [Field in FieldName]?: ValueOf<Bodies, Field> extends infer Value
    ? Value extends Hidden
      ? Masked
      : Exclude<Value, undefined>
    : never
}

/** A task's body as its parser leaves it, and as it is stored. */
export type Payload = Fields<string>

/** The options of a task: any names and values until the descriptors of an engine read them. */
export type GivenOptions = Readonly<NonNullable<Payload['options']>>
