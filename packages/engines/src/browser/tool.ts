import { GiB, MiB, type Tool, usualProfile } from '../tool.ts'
import { browserCalls } from './system-calls.ts'

/** The runner that opens web pages for imports. */
export const pageRunner = 'browser'

/**
 * Chromium, which opens untrusted pages. Its own sandbox cannot run inside this one, so this one is the only
 * protection: each page gets a new one. It uses TCP on the loopback device of its own network namespace, where only the
 * forwarder next to it listens. The system call filter allows only listed calls and refuses datagrams, and with them
 * DNS, QUIC and WebRTC.
 */
export const browserTool: Tool = {
  name: pageRunner,
  family: 'browser',
  program: 'usr/bin/chromium-headless-shell',
  // Chromium crashes without /proc.
  needsProc: true,
  profile: {
    ...usualProfile,
    processes: 256,
    memoryBytes: 2 * GiB,
    tmpBytes: 512 * MiB,
    seccomp: { socketFamilies: ['unix', 'inet'], datagrams: false, only: browserCalls },
  },
  runner: {
    script: new URL('runner.mjs', import.meta.url),
    serves: 'one call',
    keepBytes: 256 * MiB,
    startBytes: GiB,
  },
}
