import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** Writes a line for each error that Vitest caught outside of tests into a file: its JSON report does not have them. */
export class OutsideReporter implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    writeFileSync(this.#file, JSON.stringify(errors.map(describe)))
  }
}

function describe({ name, message, stack = '' }: SerializedError): string {
  // The first line of our own code tells where to look.
  const place = stack.split('\n').find((line) => /\.tsx?:\d+/.test(line) && !line.includes('node_modules'))
  return [`${name}: ${message}`, place].join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}
