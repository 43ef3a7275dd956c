import { engines } from '@lathe/engines'

/** The engine that converts these formats, for examples in documents. */
export function exampleEngine(from: string, to: string): string {
  return engines.find(({ abilities }) => abilities.some((one) => one.from === from && one.to === to))?.id ?? ''
}
