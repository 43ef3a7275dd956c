import { homedir } from 'node:os'
import { join } from 'node:path'

const { LATHE_URL, LATHE_KEY, LATHE_PROFILE, XDG_CONFIG_HOME, XDG_STATE_HOME, DISPLAY, WAYLAND_DISPLAY } = process.env

/** Settings from outside the command line. */
export const environment = {
  url: LATHE_URL,
  key: LATHE_KEY,
  profile: LATHE_PROFILE,
  /** Whether a program could show a window (Linux). */
  hasDesktop: Boolean(DISPLAY || WAYLAND_DISPLAY),
  /** Where programs store their configuration and their state. */
  configFolder: join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'lathe'),
  stateFolder: join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'lathe'),
}
