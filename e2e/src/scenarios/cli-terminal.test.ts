import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { stalls, startFileServer } from '../file-server.ts'
import { type InstalledCli, installCli } from '../install-cli.ts'
import { fixture, newKey, stack } from '../scenario.ts'
import { openTerminal } from '../terminal.ts'

let cli: InstalledCli
let work: string
let env: Record<string, string>
let api: Client

beforeAll(async () => {
  cli = await installCli()
  const { key } = await newKey({ slots: 8, scopes: ['task.read', 'task.write'] })
  const path = `${cli.bin}:/usr/local/bin:/usr/bin:/bin`
  env = { PATH: path, LATHE_URL: stack.url, LATHE_KEY: key, LANG: 'C.UTF-8', PS1: '$ ', TERM: 'xterm-256color' }
  api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
}, 120_000)
afterAll(() => cli[Symbol.dispose]())
beforeEach(() => {
  work = cli.newFolder()
})

const has = (program: string) => existsSync(`/usr/bin/${program}`)
const within = { withinMs: 60_000 }

// `npm run setup` installs tmux.
describe.runIf(has('tmux'))('in a real terminal', () => {
  it('progress bars move and are replaced by the results', async () => {
    writeFileSync(join(work, 'a.jpg'), fixture('photo-100k.jpg'))
    await using terminal = await openTerminal(work, { ...env, HOME: work })
    await terminal.press('lathe convert a.jpg --to webp; echo "code $?"', 'Enter')
    await waitFor(async () => /^code \d/m.test(await terminal.screen()), { ...within, what: 'the end' })
    const screen = await terminal.screen()
    expect(screen).toMatch(/^done {5}a\.jpg → a\.webp \([\d.]+ kB, [\d.]+ m?s\)\n1 done\ncode 0$/m)
    expect(screen).not.toContain('█')
  })

  it('Ctrl-C cancels the job that is shown by its bar', async () => {
    await using server = await startFileServer({ '/slow.jpg': stalls })
    await using terminal = await openTerminal(work, { ...env, HOME: work })
    await terminal.press(`lathe convert ${server.url}/slow.jpg --to webp; echo "code $?"`, 'Enter')
    const bars = /░ {2,3}\d+% \w+ http.*slow\.jpg\n.*░ {2,3}\d+% 0 of 1 files/
    await waitFor(async () => bars.test(await terminal.screen()), { ...within, what: 'a bar of a file and one of all' })
    const newest = async () => (await api.jobs('?per_page=1')).docs[0]
    await waitFor(async () => (await newest())?.status === 'processing', { ...within, what: 'a job that runs' })
    await terminal.press('C-c')
    await waitFor(async () => /code 130$/m.test(await terminal.screen()), { ...within, what: 'exit code 130' })
    await waitFor(async () => (await newest())?.status === 'failed', { ...within, what: 'a job that is canceled' })
  })

  it('the Tab key completes commands, formats and names of files', async () => {
    writeFileSync(join(work, 'my photo.jpg'), '')
    await using terminal = await openTerminal(work, { ...env, HOME: work })
    await terminal.press('source <(lathe completion bash); echo ready', 'Enter')
    await waitFor(async () => /^ready$/m.test(await terminal.screen()), { ...within, what: 'the script' })
    await terminal.press('lathe conve', 'Tab', 'my', 'Tab', '--to web', 'Tab')
    const typed = /lathe convert my\\ photo\.jpg --to web[pm]?/
    await waitFor(async () => typed.test(await terminal.screen()), { ...within, what: 'the completed line' })
  })
})

/** What a completion script of bash offers for a line, whose last word is the one to complete. */
async function completions(...words: string[]): Promise<readonly string[]> {
  const script = `source <(lathe completion bash)
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_lathe
[ "\${#COMPREPLY[@]}" = 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', 'lathe', ...words], {
    cwd: work,
    env,
  })
  return stdout.split('\n').filter(Boolean)
}

describe('the completion script of bash', () => {
  it('offers commands, subcommands, formats, operations, options and files', async () => {
    mkdirSync(join(work, 'some folder'))
    writeFileSync(join(work, 'some file.txt'), '')
    expect(await completions('co')).toEqual(['convert', 'compress', 'completion'])
    expect(await completions('jobs', '')).toEqual(['list', 'show', 'watch', 'cancel'])
    expect(await completions('webhooks', 'l')).toEqual(['listen'])
    for (const flag of ['--to', '-t', '--from'])
      expect(await completions('convert', 'a', flag, 'docx')).toEqual(['docx'])
    expect(await completions('options', 'jp')).toContain('jpg')
    expect(await completions('options', 'jpg', 'webp')).toEqual(['webp'])
    expect(await completions('run', 'watern')).toEqual([])
    expect(await completions('run', 'water')).toEqual(['watermark'])
    expect(await completions('convert', '--qual')).toContain('--quality')
    expect(await completions('watch', '--delete')).toEqual(['--delete-after'])
    expect((await completions('convert', 'some')).toSorted()).toEqual(['some file.txt', 'some folder'])
    expect(await completions('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })
})

describe.runIf(has('zsh'))('the completion script of zsh', () => {
  it('is loaded and offers commands', async () => {
    const script = 'autoload -U compinit && compinit -D; source <(lathe completion zsh); print $_comps[lathe]'
    const { stdout } = await promisify(execFile)('zsh', ['-f', '-c', script], { cwd: work, env })
    expect(stdout.trim()).not.toBe('')
  })
})

describe.runIf(has('fish'))('the completion script of fish', () => {
  it('offers commands and formats', async () => {
    const complete = async (line: string) => {
      const script = `lathe completion fish | source; complete -C '${line}'`
      return (await promisify(execFile)('fish', ['-N', '-c', script], { cwd: work, env })).stdout
    }
    expect(await complete('lathe conve')).toContain('convert')
    expect(await complete('lathe convert a.jpg --to web')).toContain('webp')
    expect(await complete('lathe jobs ')).toContain('cancel')
  })
})
