import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { anyFormat } from './engine.ts'
import { engines } from './engines.ts'
import { advertised, advertisedFor, findAbility, formatsFor, planTask } from './registry.ts'

const source = (format: string, n = 0) => ({ file: `in-${n}.${format}`, format, size: 1, filename: `a.${format}` })

describe('the registry', () => {
  it('lists no ability twice within an engine', () => {
    for (const { abilities } of engines) {
      const keys = abilities.map(({ operation, from, to }) => `${operation} ${from} ${to}`)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })
})

describe('formatsFor', () => {
  it('lists what an input can become, sorted and once each, by alias and in any case', () => {
    const found = formatsFor('convert', { input: 'jpg' })
    expect(found).toEqual(expect.arrayContaining(['avif', 'gif', 'jpg', 'pdf', 'png', 'tiff', 'webp']))
    expect(found).toEqual([...new Set(found)].sort())
    expect(found).not.toContain('mp3')
    expect(formatsFor('convert', { input: 'JPEG' })).toEqual(found)
  })

  it('lists what can become an output [S-proc-11]', () => {
    expect(formatsFor('merge', { output: 'gif' })).toEqual(expect.arrayContaining(['gif', 'jpg', 'pdf', 'svg', 'webp']))
    expect(formatsFor('merge', { output: 'pdf' })).toContain('pdf')
  })

  it('takes * as every format of that side [S-query-11]', () => {
    expect(formatsFor('merge', { input: '*' })).toEqual(['gif', 'pdf'])
    expect(formatsFor('convert', { output: '*' })).toContain('heic')
    expect(formatsFor('convert', { output: '*' })).not.toContain('zip')
  })

  it('gives nothing for a format it does not know', () => {
    expect(formatsFor('convert', { input: 'xyz' })).toEqual([])
  })

  it('gives every format without a side, and of all operations without an operation [S-query-02]', () => {
    expect(formatsFor('compress')).toEqual(formatsFor('compress', { output: '*' }))
    expect(formatsFor()).toEqual(expect.arrayContaining([...formatsFor('convert'), ...formatsFor('merge')]))
  })
})

describe('findAbility', () => {
  it('finds by alias and returns undefined if there is none', () => {
    expect(findAbility('convert', 'JPEG', 'tif')).toMatchObject({ from: 'jpg', to: 'tiff' })
    expect(findAbility('convert', 'jpg', 'mp3')).toBeUndefined()
    expect(findAbility('convert', 'jpg', 'nope')).toBeUndefined()
  })
})

describe('advertisedFor', () => {
  it('lists what an operation can do, by any name of the output format', () => {
    const abilitiesFor = (name: string) => advertised.filter(({ operation }) => operation === name)
    const toTiff = abilitiesFor('convert').filter(({ to }) => to === 'tiff')
    expect(advertisedFor('convert', '.TIF')).toEqual(toTiff)
    expect(advertisedFor('archive', 'zip')).toMatchObject([{ from: '*', to: 'zip' }])
    expect(advertisedFor('convert', 'nope')).toEqual([])
    expect(advertisedFor('merge')).toEqual(abilitiesFor('merge'))
  })
})

describe('planTask', () => {
  it('plans with the engine that can do it', () => {
    const plan = planTask({ operation: 'convert', sources: [source('jpg')], to: 'JPEG', options: {} })
    expect(plan).toMatchObject({ kind: 'plan', outputs: [{ file: 'out-0.jpg', format: 'jpg' }] })
  })

  it('fails as unsupported, naming the first source that no engine reads [D-op-20]', () => {
    const sources = [source('jpg'), source('mp3', 1)]
    const failed = planTask({ operation: 'convert', sources, to: 'png', options: {} })
    expect(failed).toMatchObject({ kind: 'failure', code: 'unsupported' })
    const text = expect.stringMatching(/^This is MP3 audio \(mp3\), which Lathe cannot convert to Portable Network/)
    expect(failed).toHaveProperty('text', text)
  })

  it('says what else the input can become, a dozen at most', () => {
    const failed = planTask({ operation: 'convert', sources: [source('mp4')], to: 'docx', options: {} })
    const text = isFailure(failed) ? (failed.text ?? '') : ''
    expect(text).toMatch(/Possible from mp4: [a-z0-9]+(, [a-z0-9]+){11} and others\.$/)
    const [gif] = [planTask({ operation: 'merge', sources: [source('pdf')], to: 'docx', options: {} })]
    expect(gif).toHaveProperty(
      'text',
      expect.stringMatching(/cannot merge to a Word document \(docx\)\. Possible from pdf: /),
    )
  })

  it('names the format of an input that no engine reads, and what to do', () => {
    const renamed = { ...source('rar'), filename: 'report.doc' }
    expect(planTask({ operation: 'convert', sources: [renamed], to: 'pdf', options: {} })).toMatchObject({
      code: 'unsupported',
      text: 'This file is named .doc but is a RAR archive (rar), which Lathe cannot convert yet. Extract it first, with the operation extract.',
    })
  })

  it('takes files of any kind where an operation does', () => {
    expect(findAbility('archive', 'exe', 'zip')).toMatchObject({ from: anyFormat, to: 'zip' })
    expect(formatsFor('archive', { output: 'zip' })).toEqual(expect.arrayContaining(['docx', 'jpg', 'mp4']))
    expect(formatsFor('archive', { input: 'jpg' })).toContain('tar.gz')
    const sources = [source('jpg'), source('bin')]
    expect(planTask({ operation: 'archive', sources, to: 'zip', options: {} })).toMatchObject({ kind: 'plan' })
  })

  it('does not repeat unknown spellings', () => {
    const failed = planTask({ operation: 'convert', sources: [source('<script>')], to: '../../x', options: {} })
    expect(JSON.stringify(failed)).not.toMatch(/script|\.\./)
  })

  it('fails without inputs', () => {
    expect(planTask({ operation: 'merge', sources: [], to: 'pdf', options: {} })).toMatchObject({ code: 'no_files' })
  })
})
