import { describe, expect, it } from 'vitest'
import { createFakeContext } from '../testing/fake-context.ts'
import { base64Importer } from './base64.ts'

describe('import/base64', () => {
  it('saves the staged content, under the given name [S-gen-07]', async () => {
    const { context, saved } = createFakeContext({ staged: ['first', 'second'] })
    expect(await base64Importer.run({ filename: 'photo.jpg' }, context)).toBeUndefined()
    expect(saved).toEqual([{ filename: 'photo.jpg', text: 'firstsecond' }])
  })

  it.each([
    ['../../x.png', 'x.png'],
    ['..', 'file'],
    [undefined, 'file'],
  ])('changes the name %j to %j', async (filename, expected) => {
    const { context, saved } = createFakeContext({ staged: ['x'] })
    await base64Importer.run(filename === undefined ? {} : { filename }, context)
    expect(saved[0]?.filename).toBe(expected)
  })

  it('throws the errors of the storage', async () => {
    const { context } = createFakeContext({ staged: ['x'], saveFails: new Error('disk full') })
    await expect(base64Importer.run({ filename: 'a.png' }, context)).rejects.toThrow('disk full')
  })
})
