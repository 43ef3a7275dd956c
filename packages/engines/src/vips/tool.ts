import { GiB, MiB, type Tool, usualProfile } from '../tool.ts'

/** The image runner: Node with sharp and pdf-lib, which are in every root. Measured while idle: 70 MiB of memory. */
export const vipsTool: Tool = {
  name: 'vips',
  family: 'image',
  profile: { ...usualProfile, parts: [...usualProfile.parts, 'opt/lathe/node_modules'], memoryBytes: GiB },
  runner: { script: new URL('runner.mjs', import.meta.url), serves: 'owner', keepBytes: 256 * MiB },
}
