import { inspect } from 'node:util'

const shown = '[secret]'

/**
 * A text that may be used but not shown: printed, logged, in JSON or in another text it is `[secret]`. Code that needs
 * the text calls `reveal()`, which is easy to find and to review.
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

/** The text of a value that may or may not be a Secret. */
export function revealText(value: string | Secret): string
export function revealText(value: string | Secret | undefined): string | undefined
export function revealText(value: string | Secret | undefined): string | undefined {
  return value instanceof Secret ? value.reveal() : value
}
