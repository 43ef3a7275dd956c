// @ts-check
// biome-ignore lint/style/noRestrictedImports: this runs inside the sandbox, which ends with all it starts.
import { spawn } from 'node:child_process'
import { DevTools } from './devtools.mjs'

const program = '/usr/lib/chromium/chromium-headless-shell'

/** What is the same for every page. The sandbox around us is the boundary; these keep the browser from trying. */
const flags = [
  // Its own sandbox needs namespaces, which there are none of inside ours.
  '--no-sandbox',
  '--no-zygote',
  '--remote-debugging-pipe',
  '--user-data-dir=/tmp/profile',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--in-process-gpu',
  // One page of one owner: processes of their own for its frames would cost memory and keep nobody apart.
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,OptimizationHints,AcceptCHFrame',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-notifications',
  '--disable-sync',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--block-new-web-contents',
  '--disk-cache-size=33554432',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--lang=en-US',
  '--mute-audio',
]

/**
 * Starts a browser. All it asks for goes to the proxy on that port, its own loopback included.
 *
 * @param {number} proxyPort
 */
export async function launch(proxyPort) {
  const proxy = [`--proxy-server=http://127.0.0.1:${proxyPort}`, '--proxy-bypass-list=<-loopback>']
  const child = spawn(program, [...flags, ...proxy], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  const [, , complaints, input, output] = child.stdio
  const devTools = new DevTools(/** @type {any} */ (input), /** @type {any} */ (output))
  let tail = ''
  complaints?.on('data', (chunk) => {
    tail = `${tail}${chunk}`.slice(-2000)
  })
  child.on('error', (error) => {
    tail = error.message
  })
  // A browser that never comes up would otherwise only be said to be gone.
  await devTools.send('Browser.getVersion').catch((error) => {
    throw new Error(`${error.message}: ${tail}`)
  })
  return devTools
}
