import { Lathe } from '@lathe/sdk'
import { type ConnectFlags, findProfile } from '../connect.ts'
import { writeLines, writeTable } from '../write.ts'

export async function showUsage(lathe: Lathe, { json }: { readonly json?: boolean }): Promise<void> {
  const [account, usage] = await Promise.all([lathe.account(), lathe.usage()])
  if (json) return writeLines([JSON.stringify({ account, usage })])
  const { completed, failed, minutes } = usage.total
  writeLines([
    `${usage.from} to ${usage.to}: ${completed} tasks completed, ${failed} failed, ${minutes} conversion minutes`,
  ])
}

export async function showPresets(lathe: Lathe, { json }: { readonly json?: boolean }): Promise<void> {
  const rows: string[][] = []
  for await (const preset of lathe.presets()) {
    if (json) writeLines([JSON.stringify(preset)])
    else
      rows.push([preset.id, preset.name, preset.operation, preset.output_format ?? '', JSON.stringify(preset.options)])
  }
  if (!json) writeTable(rows)
}

/** Reports what is set up and what is not. Returns whether everything is fine. */
export async function examine(flags: ConnectFlags): Promise<boolean> {
  const { url, key } = await findProfile(flags)
  const checks: [string, () => Promise<string>][] = [
    ['address', async () => url ?? Promise.reject(new Error('none: give --url, set LATHE_URL, or run: lathe login'))],
    ['service', async () => `ready, answered in ${await answerMs(url)} ms`],
    [
      'key',
      async () =>
        key
          ? `works, account ${(await new Lathe({ baseUrl: url ?? '', key }).account()).name}`
          : Promise.reject(new Error('none: run lathe login')),
    ],
    ['clock', async () => `${await clockSkewS(url)} s from that of the service`],
    ['program', async () => `Node.js ${process.versions.node}`],
  ]
  let isWell = true
  for (const [name, check] of checks) {
    const result = await check().then(
      (said) => ['ok', said],
      (error: Error) => ['FAILED', error.message],
    )
    isWell &&= result[0] === 'ok'
    writeTable([[result[0]?.padEnd(6) ?? '', name.padEnd(8), result[1] ?? '']])
  }
  return isWell
}

async function answerMs(url = ''): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(new URL('/readyz', url))
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return Math.round(performance.now() - startedAt)
}

async function clockSkewS(url = ''): Promise<number> {
  const response = await fetch(new URL('/healthz', url))
  const skew = Math.round(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1000)
  if (skew > 60) throw new Error(`${skew} s off: links expire too early or too late`)
  return skew
}
