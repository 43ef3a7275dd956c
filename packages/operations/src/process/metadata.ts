import type { FieldError } from '@lathe/domain'
import { type Body, defineProcess } from '../define.ts'

/** The options that change metadata: a request for anything but JSON needs one of them. */
const changes = ['remove', 'title', 'author', 'description', 'copyright', 'keywords', 'date']

export const metadata = defineProcess({
  name: 'metadata',
  summary: 'Read, write or strip metadata',
  description:
    'Returns the metadata of a file as JSON. If the output format is that of the file, writes or removes metadata without changing the content.',
  inputs: { files: 'each' },
  output: { usual: 'json' },
  check: checkChanges,
})

function checkChanges({ output_format: to, options }: Body): readonly FieldError[] {
  if (typeof to !== 'string' || to.toLowerCase().replace(/^\./, '') === 'json') return []
  const given = typeof options === 'object' && options !== null ? Object.keys(options) : []
  if (given.some((name) => changes.includes(name))) return []
  return [{ path: 'options', code: 'required', msg: `must say what to change: at least one of ${changes.join(', ')}.` }]
}
