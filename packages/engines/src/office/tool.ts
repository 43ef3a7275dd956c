import { GiB, MiB, type Tool, usualProfile } from '../tool.ts'

/** LibreOffice, warm. It was seen to hold 190 MiB while it waits, and as much again after large files. */
export const officeTool: Tool = {
  name: 'office',
  family: 'office',
  program: 'usr/lib/libreoffice/program/soffice.bin',
  // It refuses to start without.
  needsProc: true,
  profile: {
    ...usualProfile,
    parts: [...usualProfile.parts, 'etc/libreoffice', 'var/lib/libreoffice'],
    processes: 256,
    tmpBytes: GiB,
  },
  runner: {
    script: new URL('runner.py', import.meta.url),
    serves: 'owner',
    keepBytes: 600 * MiB,
    prepare: true,
    startBytes: GiB,
  },
}
