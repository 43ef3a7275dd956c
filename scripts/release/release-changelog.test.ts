import { expect, it } from 'vitest'
import { isGreater, notesOf, releaseChangelog } from './release-changelog.ts'

const changelog =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [1.0.0] - 2026-01-01\n\n### Added\n\n- All.\n'

it('gives what is unreleased a version and a date', () => {
  const released = releaseChangelog(changelog, '1.1.0', '2026-02-01')
  expect(released).toContain('## [Unreleased]\n\n## [1.1.0] - 2026-02-01\n\n### Added\n\n- A thing.\n\n## [1.0.0]')
  expect(notesOf(released, '1.1.0')).toBe('### Added\n\n- A thing.')
})

it('refuses a version that is there, and one without changes', () => {
  expect(() => releaseChangelog(changelog, '1.0.0', '2026-02-01')).toThrow('already')
  const released = releaseChangelog(changelog, '1.1.0', '2026-02-01')
  expect(() => releaseChangelog(released, '1.2.0', '2026-03-01')).toThrow('unreleased')
  expect(() => notesOf(released, '3.0.0')).toThrow('no version 3.0.0')
})

it('orders versions by their numbers', () => {
  expect(isGreater('1.10.0', '1.9.3')).toBe(true)
  expect(isGreater('1.9.3', '1.9.3')).toBe(false)
  expect(isGreater('0.9.9', '1.0.0')).toBe(false)
  expect(() => isGreater('1.0', '0.9.0')).toThrow('no version')
})
