import { GiB, type Tool, usualProfile } from '../tool.ts'

/** Python with libarchive, which is installed with bsdtar. */
export const archiveTool: Tool = {
  name: 'archive',
  family: 'image',
  program: 'usr/bin/bsdtar',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}
