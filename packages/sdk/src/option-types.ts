import type { OptionSets, Pairs } from './generated/options.ts'

export type Operation = keyof Pairs
/** Formats that can be the source of an operation. */
export type From<O extends Operation = 'convert'> = keyof Pairs[O] & string
/** Formats that a source can be converted to. */
export type To<O extends Operation = 'convert', F extends From<O> = From<O>> =
  F extends From<O> ? keyof Pairs[O][F] & string : never

/** The options of a pair of formats. */
export type OptionsOf<O extends Operation, F extends From<O>, T extends string> =
  F extends From<O>
    ? T extends keyof Pairs[O][F]
      ? Pairs[O][F][T] extends keyof OptionSets
        ? OptionSets[Pairs[O][F][T]]
        : never
      : never
    : never

/** The extension of a path that is known to the compiler: `docx` for `report.v2.docx`. */
export type ExtensionOf<P> = P extends `${string}.${infer Rest}` ? ExtensionOfRest<Rest> : never
type ExtensionOfRest<R extends string> = R extends `${string}.${infer Rest}` ? ExtensionOfRest<Rest> : Lowercase<R>

/** The format of a source if the compiler can know it; otherwise any. */
export type FormatOf<S, O extends Operation> = string extends S
  ? From<O>
  : '*' extends From<O>
    ? From<O>
    : S extends string
      ? Extract<From<O>, ExtensionOf<S>>
      : From<O>
