import { GiB, type Tool, usualProfile } from '../tool.ts'

/** Pandoc, and Python with lxml and olefile, for books, marked-up text and mail. */
export const markupTool: Tool = {
  name: 'markup',
  family: 'browser',
  program: 'usr/bin/pandoc',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}
