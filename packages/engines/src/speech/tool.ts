import { GiB, type Tool, usualProfile } from '../tool.ts'

/** PocketSphinx and the Python that runs it. */
export const speechTool: Tool = {
  name: 'speech',
  family: 'av',
  program: 'usr/bin/pocketsphinx_continuous',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}
