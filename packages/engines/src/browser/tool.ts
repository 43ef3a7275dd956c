import { GiB, MiB, type Tool, usualProfile } from '../tool.ts'
import { browserCalls } from './system-calls.ts'

/** The runner that opens web pages for imports. */
export const pageRunner = 'browser'

/**
 * Chromium, which opens pages of strangers. Its own sandbox cannot be built inside this one, so this one is all there is:
 * each page gets a new one. It speaks TCP to the loopback device of its own network namespace, where nobody listens but
 * the forwarder beside it; datagrams, and with them names, QUIC and WebRTC, are refused by the filter, which names all
 * calls it may make.
 */
export const browserTool: Tool = {
  name: pageRunner,
  family: 'browser',
  program: 'usr/bin/chromium-headless-shell',
  // It traps without.
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
