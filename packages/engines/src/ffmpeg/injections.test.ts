import { describe, expect, it } from 'vitest'
import { checkOptions } from '../check-options.ts'
import { freeTextOptions } from '../option-descriptor.ts'
import { abilities } from './abilities.ts'

const injections = [
  '-i /etc/canary',
  'x -vf drawtext=textfile=/etc/canary',
  'movie=/etc/canary',
  'amovie=/etc/canary',
  'subtitles=/etc/canary',
  'lut3d=/etc/canary',
  '/etc/canary',
  'file:/etc/canary',
  '1,movie=/etc/canary',
  '0:00:01;movie=/etc/canary',
  '1 -i /etc/canary',
  '1\n-i\n/etc/canary',
  '%{pict_type}',
  '[0:v]',
  "'1'",
]

// Free text reaches programs only in files.
const descriptors = [...new Set(abilities.flatMap(({ options }) => options))]
  .filter(({ name }) => !freeTextOptions.includes(name))
  .map((option) => ({ ...option, conditions: [] }))

describe('A05: an option that carries an argument or a filter', () => {
  it.each(injections)('%j is refused everywhere', (value) => {
    const taken = descriptors.filter((option) => checkOptions([option], { [option.name]: value }).errors.length === 0)
    expect(taken.map(({ name }) => name)).toEqual([])
  })
})
