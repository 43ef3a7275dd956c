import { inspect } from 'node:util'

const shown = '[secret]'

/**
 * A text that may be used but not shown: printed, logged, put into JSON or into another text it is `[secret]`.
 * Whoever needs it asks for it by name, which is easy to find and to review.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}

/** A text that may or may not be hidden. */
export function revealText(value: string | Secret): string
export function revealText(value: string | Secret | undefined): string | undefined
export function revealText(value: string | Secret | undefined): string | undefined {
  return value instanceof Secret ? value.reveal() : value
}
