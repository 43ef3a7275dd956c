import { GiB, type Tool, usualProfile } from '../tool.ts'

/** ExifTool, and Python that runs it. */
export const metadataTool: Tool = {
  name: 'metadata',
  family: 'image',
  program: 'usr/bin/exiftool',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}
