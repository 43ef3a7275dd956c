import { gunzipSync } from 'node:zlib'
import { pictureLimits } from '../../../../packages/engines/src/pictures/limits.ts'
import type { LargestOfEach } from './largest.ts'
import type { Look } from './look-at-files.ts'

const runner = new URL('../../../../packages/engines/src/vips/', import.meta.url)
const { svgDepth } = (await import(new URL('svg-depth.mjs', runner).href)) as { svgDepth(text: string): number }
const { withoutDoctype } = (await import(new URL('svg-entities.mjs', runner).href)) as {
  withoutDoctype(text: string, limit: number): string | undefined
}

/** Counts everything in a drawing that is limited, with the code that checks it. */
export function measureDrawing({ content, name }: Pick<Look, 'content' | 'name'>, most: LargestOfEach): void {
  const text = textOf(content)
  if (text === undefined) return
  most.count('drawingBytes', Buffer.byteLength(text), name)
  const whole = withoutDoctype(text, pictureLimits.svgBytes)
  most.count('drawingEntityBytes', whole === undefined ? pictureLimits.svgBytes + 1 : entityBytes(text, whole), name)
  most.count('drawingDepth', svgDepth(whole ?? text), name)
  const tag = /<(?:[\w-]+:)?svg\b[^>]*>/.exec(text)?.[0] ?? ''
  const sides = [...tag.matchAll(/\s(?:width|height)\s*=\s*["']\s*([\d.]+)(px)?\s*["']/g)]
  for (const [, side] of sides) most.count('drawingSide', Number(side), name)
}

function textOf(content: Buffer): string | undefined {
  try {
    const isPacked = content[0] === 0x1f && content[1] === 0x8b
    return String(isPacked ? gunzipSync(content, { maxOutputLength: 2 * pictureLimits.svgBytes }) : content)
  } catch {
    return undefined
  }
}

/** How many bytes a drawing gains when its entities are expanded, without its declarations. */
function entityBytes(text: string, whole: string): number {
  const declared = /<!DOCTYPE[^[>]*(\[[\s\S]*?\]\s*)?>/i.exec(text)?.[0].length ?? 0
  return declared === 0 ? 0 : Math.max(0, whole.length - (text.length - declared))
}
