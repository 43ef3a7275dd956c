import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { modelSources } from '../../../../fixtures/models.ts'

const bench = usePlanBench()

const run = (format: string, content: string | Uint8Array, to: string, options = {}) =>
  bench.run({ operation: 'convert', sources: [{ format, content }], to, options })

async function convert(format: string, content: string | Uint8Array, to: string, options = {}): Promise<Buffer> {
  const end = await run(format, content, to, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

const facesOf = (obj: Buffer) => String(obj).match(/^f /gm)?.length

describe('models', () => {
  it.each(['stl', 'ply', 'glb', 'dae', '3ds', 'x', 'fbx', 'x3d'])(
    'keep their faces as %s and back',
    { timeout: 60_000 },
    async (to) => {
      const there = await convert('off', modelSources.off ?? '', to)
      expect(facesOf(await convert(to, there, 'obj'))).toBe(4)
    },
  )

  it('are read from glTF with its numbers inside', { timeout: 60_000 }, async () => {
    expect(facesOf(await convert('gltf', modelSources.gltf ?? '', 'obj'))).toBe(1)
  })

  it('are written as text on demand', { timeout: 60_000 }, async () => {
    const text = await convert('off', modelSources.off ?? '', 'stl', { encoding: 'text' })
    expect(String(text)).toMatch(/^solid[\s\S]*facet normal/)
  })

  it('that are none are refused', { timeout: 60_000 }, async () => {
    for (const format of ['obj', 'stl', 'glb', 'fbx', 'dae']) {
      expect(await run(format, 'no model\n', 'ply')).toMatchObject({ code: 'input_damaged' })
    }
  })

  it('without the files that they name are made of what there is, or say what to send', {
    timeout: 60_000,
  }, async () => {
    const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
    expect(await run('obj', triangle, 'glb')).toMatchObject({ warnings: [] })
    const named = await run('obj', `mtllib colours.mtl\nusemtl red\n${triangle}`, 'glb')
    expect(named).toMatchObject({
      warnings: [expect.stringMatching(/^The model names other files, such as materials/)],
    })
    const apart = { ...JSON.parse(modelSources.gltf ?? ''), buffers: [{ byteLength: 36, uri: 'model.bin' }] }
    expect(await run('gltf', JSON.stringify(apart), 'stl')).toMatchObject({
      code: 'input_damaged',
      text: expect.stringContaining('Save it as one file, such as GLB.'),
    })
  })

  it('show no file that they name', { timeout: 60_000 }, async () => {
    const obj = 'mtllib /etc/passwd\nusemtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
    for (const to of ['glb', 'dae', 'fbx']) expect((await convert('obj', obj, to)).includes('nobody')).toBe(false)
  })
})
