import { spawn } from 'node:child_process'
import { environment } from './environment.ts'

/** The command that opens a page on each system; undefined without a desktop. */
function findOpener(): readonly [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return environment.hasDesktop ? ['xdg-open'] : undefined
}

/** Tries to open a page in the browser of the desktop. Failures are ignored, because the URL is also printed. */
export function openBrowser(url: string): void {
  const opener = findOpener()
  // The URL comes from the service: only web pages are opened, and nothing that a program could take for a flag.
  if (!opener || !/^https?:\/\//.test(url) || !URL.canParse(url)) return
  const [program, ...args] = opener
  const child = spawn(program, [...args, new URL(url).href], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
