import { describe, expect, it } from 'vitest'
import { type RealFile, selectFiles } from './collect-files.ts'

const file = (name: string): RealFile => ({ path: `/x/${name}`, name, ext: name.slice(name.lastIndexOf('.') + 1) })
const many = Array.from({ length: 40 }, (_, n) => file(`${n}.jpg`))
const all = [...many, file('one.jpeg'), file('a.docx'), file('b.xyz')]

describe('the real files of a run', () => {
  it('are all of them without options', () => {
    expect(selectFiles(all, { seed: 1 })).toEqual(all)
  })

  it('are those of the formats that are named, by any of their extensions', () => {
    expect(selectFiles(all, { only: 'jpg,xyz', seed: 1 })).toHaveLength(42)
    expect(selectFiles(all, { only: 'jpeg', seed: 1 })).toEqual([file('one.jpeg')])
  })

  it('are a sample with every format in it, the same for the same seed', () => {
    const sample = selectFiles(all, { sample: 4, seed: 7 })
    expect(
      sample
        .map(({ ext }) => ext)
        .slice(0, 3)
        .sort(),
    ).toEqual(['docx', 'jpg', 'xyz'].sort())
    expect(sample).toEqual(selectFiles(all, { sample: 4, seed: 7 }))
    expect(sample).not.toEqual(selectFiles(all, { sample: 4, seed: 8 }))
  })
})
