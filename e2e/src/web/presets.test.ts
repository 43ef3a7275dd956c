import { readFile } from 'node:fs/promises'
import type { Page as ListPage, Preset } from '@lathe/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { expectNoBarriers, hostileNames, looks, openDashboard } from './dashboard-visit.ts'
import { choose, fileOf } from './files.ts'
import { closeBrowser, type Visit } from './visit.ts'

afterAll(closeBrowser)

const small = { name: 'small', operation: 'convert', output_format: 'webp', options: { quality: 60, width: 80 } }
const photo = fileOf('photo-40k.jpg', 'holiday.jpg')

async function openOptions(visit: Visit): Promise<void> {
  await choose(visit, photo)
  await visit.page.getByRole('button', { name: 'Options of holiday.jpg' }).click()
  await visit.page.getByRole('button', { name: 'Save as preset' }).waitFor()
}

const presetFile = (presets: readonly object[]) => ({
  name: 'presets.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify({ kind: 'lathe-presets', version: 1, presets })),
})

describe('in the options of a file', () => {
  it('a preset is saved with the keyboard alone, replaced under its name, and taken by another file', async () => {
    await using visit = await openDashboard('/')
    const { page, api } = visit
    await openOptions(visit)
    const dialog = page.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save as preset' })
    expect(await save.isDisabled()).toBe(true)
    await dialog.getByLabel('Quality', { exact: true }).fill('40')
    await save.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('for the <b>web</b>')
    expect(await visit.barriers()).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.getByText('Saved as “for the <b>web</b>”.').waitFor()
    const list = async () => (await api.get<ListPage<Preset>>('/v1/presets')).body.docs
    const kept = { name: 'for the <b>web</b>', operation: 'convert', output_format: 'webp' }
    expect(await list()).toMatchObject([{ ...kept, options: { quality: 40 } }])

    await dialog.getByLabel('Quality', { exact: true }).fill('50')
    await save.click()
    await dialog.getByLabel('Name of the preset').fill(kept.name)
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await dialog.getByText('Saved as').waitFor()
    expect(await list()).toMatchObject([{ ...kept, options: { quality: 50 } }])

    await dialog.getByRole('button', { name: 'Reset all' }).click()
    const picker = dialog.getByLabel('Preset', { exact: true })
    await expect.poll(() => picker.inputValue()).toBe('')
    await picker.selectOption({ label: kept.name })
    expect(await dialog.getByLabel('Quality', { exact: true }).inputValue()).toBe('50')
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/process/jobs')),
      page.getByRole('button', { name: 'Convert 1 file' }).click(),
    ])
    expect(request.postDataJSON().tasks['convert-0'].options).toEqual({ quality: 50 })
  })

  it('only presets of the operation and the target are offered', async () => {
    await using visit = await openDashboard('/', {}, async (api) => {
      await api.post('/v1/presets', small)
      await api.post('/v1/presets', { ...small, name: 'of png', output_format: 'png', options: {} })
      await api.post('/v1/presets', { name: 'of compress', operation: 'compress' })
    })
    await openOptions(visit)
    const offered = visit.page.getByRole('dialog').getByLabel('Preset', { exact: true }).getByRole('option')
    await expect.poll(() => offered.allTextContents()).toEqual(['No preset', 'small'])
  })
})

describe('the page of presets', () => {
  it('says what to do when there are none', async () => {
    await using visit = await openDashboard('/presets')
    await visit.page.getByText('No presets yet').waitFor()
    expect(await visit.page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
    await visit.page.getByRole('main').getByRole('link', { name: 'Convert a file' }).click()
    await visit.page.getByRole('heading', { name: 'Convert files' }).waitFor()
  })

  it('renames a preset, and deletes it after a question', async () => {
    await using visit = await openDashboard('/presets', {}, (api) => api.post('/v1/presets', small))
    const { page, api } = visit
    const row = page.getByRole('list', { name: 'Presets' }).getByRole('listitem')
    await row.getByText('quality: 60').waitFor()
    await row.getByRole('button', { name: 'Edit small' }).click()
    const dialog = page.getByRole('dialog')
    expect(await visit.barriers()).toEqual([])
    await dialog.getByLabel('Name').fill('smaller')
    await page.keyboard.press('Enter')
    await row.getByText('smaller').waitFor()
    const { docs } = (await api.get<ListPage<Preset>>('/v1/presets')).body
    expect(docs).toMatchObject([{ ...small, name: 'smaller' }])
    await row.getByRole('button', { name: 'Delete smaller' }).click()
    await row.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No presets yet').waitFor()
  })

  it('exports presets to a file that another account imports, once', async () => {
    await using first = await openDashboard('/presets', {}, async (api) => {
      await api.post('/v1/presets', small)
      await api.post('/v1/presets', { name: 'mine', operation: 'compress', personal: true })
    })
    await first.page.getByText('quality: 60').waitFor()
    const [download] = await Promise.all([
      first.page.waitForEvent('download'),
      first.page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('lathe-presets.json')
    const buffer = await readFile(await download.path())
    await using second = await openDashboard('/presets')
    const input = second.page.locator('input[type=file]')
    await input.setInputFiles({ name: 'presets.json', mimeType: 'application/json', buffer })
    await second.page.getByText('2 presets imported.').waitFor()
    await input.setInputFiles({ name: 'presets.json', mimeType: 'application/json', buffer })
    await second.page.getByText('0 presets imported. 2 were here already.').waitFor()
    const { docs } = (await second.api.get<ListPage<Preset>>('/v1/presets')).body
    expect(docs).toMatchObject([
      { ...small, personal: false },
      { name: 'mine', operation: 'compress', personal: true },
    ])
  })

  it('says which presets of a file are refused and why, and takes the others', async () => {
    await using visit = await openDashboard('/presets', { tolerates: /400/ })
    const { page } = visit
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
    await page.getByText('This file cannot be imported.').waitFor()
    const entries = [small, { ...small, name: 'bad <i>one</i>', options: { quality: 1000 } }]
    await input.setInputFiles(presetFile(entries.map((one) => ({ ...one, personal: false }))))
    await page.getByText('1 preset imported. 1 was refused:').waitFor()
    await page.getByText(/^bad <i>one<\/i>: options\.quality /).waitFor()
    expect(await visit.barriers()).toEqual([])
  })

  it.each(looks)('has no barriers, whatever presets are called ($theme, $width px)', async (look) => {
    await using visit = await openDashboard('/presets', look, async (api) => {
      for (const name of hostileNames) await api.post('/v1/presets', { ...small, name: name.slice(0, 100) })
    })
    await visit.page.getByText('<img src=x onerror=alert(1)>').waitFor()
    await expectNoBarriers(visit)
  })
})
