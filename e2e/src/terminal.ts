import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A shell in a real terminal of 100 by 30 characters. */
export interface Terminal extends AsyncDisposable {
  /** Types text and presses keys, by their names of tmux: `Enter`, `Tab`, `C-c`. */
  press(...keys: string[]): Promise<void>
  /** What the terminal shows. */
  screen(): Promise<string>
}

/** Starts bash in a tmux of its own, whose socket is in `folder`. */
export async function openTerminal(folder: string, env: Readonly<Record<string, string>>): Promise<Terminal> {
  const socket = join(folder, 'tmux')
  const tmux = (...args: string[]) =>
    run('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { cwd: folder, env })
  await tmux('new-session', '-d', '-x', '100', '-y', '30', 'bash --norc --noprofile')
  return {
    async press(...keys) {
      await tmux('send-keys', '--', ...keys)
    },
    async screen() {
      return (await tmux('capture-pane', '-p', '-J')).stdout
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server')
    },
  }
}
