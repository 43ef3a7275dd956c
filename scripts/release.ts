/**
 * `npm run release -- 1.2.3`: sets the version of the whole repository and moves the unreleased changes in the
 * changelog under it. Commits and publishes nothing; CONTRIBUTING.md describes the next steps.
 *
 *   npm run release -- notes 1.2.3     prints the changelog entries of a version
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isGreater, notesOf, releaseChangelog } from './release/release-changelog.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const change = (path: string, to: (text: string) => string) => writeFileSync(`${root}${path}`, to(read(path)))

const [word = '', named = ''] = process.argv.slice(2)
if (word === 'notes') console.log(notesOf(read('CHANGELOG.md'), named))
else release(word)

function release(version: string): void {
  const { version: current } = JSON.parse(read('package.json')) as { version: string }
  if (!isGreater(version, current)) throw new Error(`${version} is not greater than ${current}`)
  change('CHANGELOG.md', (text) => releaseChangelog(text, version, new Date().toISOString().slice(0, 10)))
  const tracked = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], { cwd: root, encoding: 'utf8' })
  for (const path of tracked.trim().split('\n')) {
    change(path, (text) => text.replace(`"version": "${current}"`, `"version": "${version}"`))
  }
  change('package-lock.json', (text) => {
    const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> }
    lock.version = version
    for (const [path, locked] of Object.entries(lock.packages)) {
      if (!path.includes('node_modules') && locked.version !== undefined) locked.version = version
    }
    return `${JSON.stringify(lock, undefined, 2)}\n`
  })
  change('deploy/helm/lathe/Chart.yaml', (text) => text.replaceAll(/^((?:appV|v)ersion:) .*$/gm, `$1 ${version}`))
  change('docs/install.md', (text) => text.replaceAll(`lathe:${current}`, `lathe:${version}`))
  execFileSync(process.execPath, [`${root}scripts/generate.ts`], { stdio: 'inherit' })
  console.log(`${version} is written. Next: npm run check, commit, tag v${version}`)
}
