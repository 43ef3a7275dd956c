import { GiB, MiB, type Tool, usualProfile } from '../tool.ts'

/** LibreOffice in a warm runner. Measured: 190 MiB while idle, and twice that after large files. */
export const officeTool: Tool = {
  name: 'office',
  family: 'office',
  program: 'usr/lib/libreoffice/program/soffice.bin',
  // LibreOffice does not start without /proc.
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
