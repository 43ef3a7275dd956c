import { GiB, type Tool, usualProfile } from '../tool.ts'

/** Plain Python, which compares texts and writes reports. */
export const compareTool: Tool = {
  name: 'compare',
  family: 'image',
  program: 'usr/bin/python3',
  profile: { ...usualProfile, memoryBytes: GiB },
}
