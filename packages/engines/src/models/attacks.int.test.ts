import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelSources } from '../../../../fixtures/models.ts'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const gltf = JSON.parse(modelSources.gltf ?? '')
const changed = (parts: object) => JSON.stringify({ ...gltf, ...parts })
const outside = (uri: string) => changed({ buffers: [{ byteLength: 36, uri }] })

/** A glTF file with one JSON chunk and no binary chunk. */
function glb(json: string): Buffer {
  const body = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4))
  const head = Buffer.alloc(20)
  head.write('glTF', 'latin1')
  head.writeUInt32LE(2, 4)
  head.writeUInt32LE(20 + body.length, 8)
  head.writeUInt32LE(body.length, 12)
  head.write('JSON', 16, 'latin1')
  return Buffer.concat([head, body])
}

const collada = (doctype: string, name: string) => `<?xml version="1.0"?>${doctype}
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_images><image id="i"><init_from>${name}</init_from></image></library_images>
<library_geometries><geometry id="g" name="${name}"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node name="${name}"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`

const x3d = (inside: string, doctype = '') => `<?xml version="1.0"?>${doctype}<X3D version="3.0"><Scene>${inside}
<Shape><IndexedFaceSet coordIndex="0 1 2 -1"><Coordinate point="0 0 0 1 0 0 0 1 0"/></IndexedFaceSet></Shape></Scene></X3D>`

/** Readers may crash on such files, inside their sandbox. */
const anyEnd = /^(done|input_damaged|limit_exceeded|engine_crashed)$/

const entity = `<!DOCTYPE x [<!ENTITY e SYSTEM "file://${canary}">]>`
const letters = [...'abcdefghi']
const laughs = `<!DOCTYPE x [${letters
  .map((name, n) => `<!ENTITY ${name} "${(n === 0 ? 'ha' : `&${letters[n - 1]};`).repeat(10)}">`)
  .join('')}]>`

describe('a model that names other files', { timeout: 120_000 }, () => {
  it.each([canary, `../..${canary}`, `./../../..${canary}`, `file://${canary}`, 'out-0.stl', 'model.py'])(
    'gets none of them as its numbers: %s [A08]',
    async (uri) => {
      // glTF data is written to STL and PLY unchanged, so another file's content would appear there.
      for (const to of ['stl', 'ply']) {
        expect(await attacks.run('gltf', outside(uri), to)).toMatchObject({ code: 'input_damaged' })
        expect(await attacks.run('glb', glb(outside(uri)), to)).toMatchObject({ code: 'input_damaged' })
        expect(await attacks.run('glb', outside(uri), to)).toMatchObject({ code: 'input_damaged' })
      }
      await attacks.run('gltf', outside(uri), 'glb')
    },
  )

  it('reaches no host', async () => {
    const uri = `${attacks.url}/x.bin`
    expect(await attacks.run('gltf', outside(uri), 'stl')).toMatchObject({ code: 'input_damaged' })
    const painted = changed({ images: [{ uri }], textures: [{ source: 0 }] })
    expect(await attacks.run('gltf', painted, 'obj')).toMatchObject({ code: 'done' })
    await attacks.run('x3d', x3d(`<Inline url="${attacks.url}/x.x3d"/>`), 'obj')
    await attacks.run('dae', collada('', `${attacks.url}/x.png`), 'glb')
  })

  it('is converted without them where it makes sense without', async () => {
    const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl nobody\nmap_Kd /etc/passwd\nf 1 2 3\n'
    for (const name of [canary, `../..${canary}`, 'in-0.obj']) {
      for (const to of ['glb', 'dae', 'fbx']) {
        expect(await attacks.run('obj', `mtllib ${name}\n${triangle}`, to)).toMatchObject({ code: 'done' })
      }
    }
    const images = [{ uri: canary }, { uri: `file://${canary}` }]
    const materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
    const painted = changed({ images, textures: [{ source: 0 }], materials })
    expect(await attacks.run('gltf', painted, 'glb')).toMatchObject({ code: 'done' })
  })

  it('is not loaded as a scene of other models under a false name', async () => {
    const scene = `LWSC\n3\n\nLoadObjectLayer 1 in-0.obj\nLoadObject ${canary}\n`
    for (const format of ['obj', 'stl', 'ply', 'off', '3ds', 'dae']) await attacks.run(format, scene, 'glb')
  })

  it.each([
    ['dae', collada(entity, '&e;')],
    ['dae', collada('', canary)],
    ['x3d', x3d('<Group DEF="&e;"/>', entity)],
    ['x3d', x3d('<MetadataString name="x" value="&e;"/>', entity)],
    ['x3d', x3d(`<Inline url="${canary}"/>`)],
    ['x3d', x3d('<Inline url="in-0.x3d"/>')],
    ['x3d', x3d('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd" parse="text"/>')],
  ])('shows nothing of them: %s [A08]', async (format, content) => {
    expect((await attacks.run(format, content, 'glb')).code).toMatch(anyEnd)
  })
})

describe('a model over a limit', { timeout: 120_000 }, () => {
  const stl = Buffer.alloc(84)
  stl.writeUInt32LE(0xfffffff0, 80)
  const chain = Array.from({ length: 50_000 }, (_, n) => (n === 49_999 ? { mesh: 0 } : { children: [n + 1] }))
  const fan = [...Array.from({ length: 9 }, (_, n) => ({ children: Array(10).fill(n + 1) })), { mesh: 0 }]

  it.each([
    ['ply', 'ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n\0\0\0\0'],
    [
      'ply',
      `ply\nformat ascii 1.0\nelement face 1\nproperty list uint uint vertex_indices\nend_header\n4000000000 0\n`,
    ],
    ['off', 'OFF\n4000000000 4000000000 0\n0 0 0\n'],
    ['stl', stl],
    ['x', 'xof 0303txt 0032\nMesh {\n4000000000;\n0;0;0;,'],
    ['gltf', changed({ accessors: [{ ...gltf.accessors[0], count: 4_000_000_000 }] })],
    ['gltf', changed({ accessors: [{ componentType: 5126, count: 400_000_000, type: 'VEC3' }] })],
    ['gltf', changed({ buffers: [{ ...gltf.buffers[0], byteLength: 2 ** 40 }] })],
    ['gltf', changed({ bufferViews: [{ buffer: 0, byteOffset: 0xffffffff, byteLength: 36 }] })],
    ['gltf', changed({ nodes: [{ children: [0], mesh: 0 }] })],
    ['gltf', changed({ nodes: [{ children: [1], mesh: 0 }, { children: [0] }] })],
    ['gltf', `{"asset":{"version":"2.0"},"extras":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['fbx', `; FBX 7.4.0 project file\n${'A: {\n'.repeat(100_000)}`],
    ['x', `xof 0303txt 0032\n${'Frame a {\n'.repeat(100_000)}`],
  ])('is damaged, whatever it claims: %s [B07]', async (format, content) => {
    expect(await attacks.run(format, content, 'obj')).toMatchObject({ code: 'input_damaged' })
  })

  it('is stopped while it grows [B07]', async () => {
    expect(await attacks.run('gltf', changed({ nodes: fan }), 'obj')).toMatchObject({ code: 'limit_exceeded' })
  })

  it('is converted however deep its parts are', async () => {
    expect(await attacks.run('gltf', changed({ nodes: chain }), 'obj')).toMatchObject({ code: 'done' })
  })

  it.each([
    ['dae', collada(laughs, '&i;')],
    ['x3d', x3d('<Group DEF="&i;"/>', laughs)],
  ])('does not grow by entities within entities: %s', async (format, content) => {
    const { code, shown } = await attacks.run(format, content, 'glb')
    expect(code).toMatch(anyEnd)
    expect(shown.length).toBeLessThan(10_000)
  })

  it('with damaged bytes ends in a result or a failure [A13]', async () => {
    for (const format of ['stl', 'ply', 'glb', '3ds', 'fbx']) {
      const whole = (await attacks.run('off', modelSources.off ?? '', format)).files[0]?.bytes ?? Buffer.alloc(0)
      for (let at = 4; at < whole.length; at += Math.ceil(whole.length / 10)) {
        const broken = Buffer.from(whole)
        broken.fill(0xff, at, at + 12)
        expect((await attacks.run(format, broken, 'obj')).code).toMatch(anyEnd)
      }
    }
  })
})
