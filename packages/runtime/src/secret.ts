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

/** The text of a value that may or may not be hidden; undefined where it is no text. */
export function revealText(value: unknown): string | undefined {
  if (value instanceof Secret) return value.reveal()
  return typeof value === 'string' ? value : undefined
}
