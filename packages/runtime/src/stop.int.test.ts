import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

const module = new URL('./stop.ts', import.meta.url).href

/** Runs a process that says `starting`, starts for so many milliseconds, and says `stopped` when it was asked to stop. */
function startProcess(startsMs: number) {
  const source = `
    import { setTimeout as pause } from 'node:timers/promises'
    import { startUnlessStopped, untilStopped } from '${module}'
    setInterval(() => {}, 1000)
    const stopped = untilStopped()
    console.log('starting')
    await startUnlessStopped(pause(${startsMs}), stopped)
    console.log('started')
    await stopped
    console.log('stopped')
    process.exit(3)`
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Stops a process as soon as it has written some words; its exit code and output. */
async function stopAt(words: string, child: ReturnType<typeof startProcess>) {
  let written = ''
  child.stdout.on('data', (chunk) => {
    const isFirst = !written.includes(words)
    written += chunk
    if (isFirst && written.includes(words)) child.kill('SIGTERM')
  })
  const [code] = await once(child, 'close')
  return { code, written }
}

it('a process that is stopped while it starts exits at once', async () => {
  expect(await stopAt('starting', startProcess(60_000))).toEqual({ code: 0, written: 'starting\n' })
})

it('a process that is stopped as soon as it has started shuts down in order', async () => {
  expect(await stopAt('started', startProcess(1))).toEqual({ code: 3, written: 'starting\nstarted\nstopped\n' })
})
