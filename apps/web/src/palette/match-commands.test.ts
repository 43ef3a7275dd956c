import { expect, it } from 'vitest'
import { type Command, matchCommands } from './match-commands.ts'

const command = (label: string, note?: string): Command => ({
  id: label,
  group: 'pages',
  label,
  ...(note !== undefined && { note }),
  run: () => undefined,
})
const commands = [
  command('API keys'),
  command('Presets'),
  command('Réglages'),
  command('convert → WEBP', 'holiday press'),
]
const labels = (typed: string) => matchCommands(commands, typed).map(({ label }) => label)

it('without words there are all commands, as they were', () => {
  expect(labels('  ')).toEqual(['API keys', 'Presets', 'Réglages', 'convert → WEBP'])
})

it('every word has to occur, in the label or the note, whatever its case and accents', () => {
  expect(labels('reglages')).toEqual(['Réglages'])
  expect(labels('KEYS api')).toEqual(['API keys'])
  expect(labels('webp holiday')).toEqual(['convert → WEBP'])
  expect(labels('webp nothing')).toEqual([])
})

it('what begins with it comes first', () => {
  expect(labels('pres')).toEqual(['Presets', 'convert → WEBP'])
})
