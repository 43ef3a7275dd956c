import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from '../engine.ts'

const words: Readonly<Record<string, readonly [Failure['code'], string]>> = {
  damaged: ['input_damaged', 'The input is damaged: nothing in it can be read as text.'],
  locked: [
    'input_damaged',
    'The book is protected against copying (DRM), so only the reader of its shop can open it. Get a copy without protection.',
  ],
  large: ['limit_exceeded', 'The input holds more than can be converted at once. Split it and convert the parts.'],
  deep: ['limit_exceeded', 'The message holds parts within parts, more levels deep than can be read.'],
  bomb: ['limit_exceeded', 'The archive unpacks to far more than its size, which only attacks do.'],
}

/** What it means that one of our scripts ended with 3 and a word. */
export function readRefusal({ code, stderr }: StepExit): Failure | undefined {
  const word = /^refused: ([a-z]+)$/m.exec(stderr)?.[1]
  const known = code === 3 && word !== undefined ? words[word] : undefined
  return known && failure(known[0], { text: known[1], detail: stderr.slice(-512) })
}
