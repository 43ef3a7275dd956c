import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitFor } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { cpuTicksOf } from './process-stat.ts'

// A thread other than the first starts a child that computes; the process itself only waits.
const program = `
import subprocess, sys, threading
def start():
    child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    print("started", flush=True)
    sys.stdin.read()
    child.kill()
threading.Thread(target=start).start()
`

describe('the CPU time of a process', () => {
  it('includes that of children which any of its threads started', async () => {
    const process = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(process, 'exit')
    await once(process.stdout, 'data')
    const pid = process.pid ?? 0
    const before = await cpuTicksOf(pid)
    const later = await waitFor(async () => (await cpuTicksOf(pid)) - before > 20, { withinMs: 60_000 }).finally(
      async () => {
        process.stdin.end()
        await ended
      },
    )
    expect(later).toBe(true)
  })
})
