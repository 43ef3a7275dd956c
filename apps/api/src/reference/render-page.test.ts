import { buildAuthOpenApi, buildOpenApi } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { html } from './html.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import { renderPage } from './render-page.ts'

const facts = { version: '0', serverUrl: 'https://files.example.org/lathe' }
const document = buildOpenApi(facts) as unknown as OpenApiDocument
const authDocument = buildAuthOpenApi(facts) as unknown as OpenApiDocument
const other = { path: '/other', title: 'Other' }
const page = renderPage(document, { base: '/lathe', file: '/openapi.json', other })
const authPage = renderPage(authDocument, { base: '/lathe', file: '/auth-openapi.json', other })

describe('html', () => {
  it('escapes what is put in, and what is HTML already only once', () => {
    const inner = html`<i title="${'"'}">${'<b> & '}</i>`
    expect(html`<p>${inner}${[inner]}${undefined}${false}${0}</p>`.text).toBe(
      '<p><i title="&quot;">&lt;b&gt; &amp; </i><i title="&quot;">&lt;b&gt; &amp; </i>0</p>',
    )
  })
})

describe('the reference page', () => {
  it.each([
    ['the API', document, page],
    ['/auth', authDocument, authPage],
  ] as const)('of %s has a section for every operation and type, and no link that leads nowhere', (_, shown, text) => {
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const operations = Object.values(shown.paths).flatMap((methods) => Object.values(methods))
    const wanted = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(shown.components.schemas).map((name) => `type-${name}`),
    ]
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('shows what a body takes, and a command that sends it', () => {
    expect(page).toContain('<code>output_format</code>')
    expect(page).toContain('curl -X POST &quot;https://files.example.org/lathe/v1/process/convert&quot;')
    expect(page).toContain('Authorization: Bearer $API_KEY')
  })

  it('shows how a page of the service calls /auth', () => {
    expect(authPage).toContain('Session cookie needed, only from pages of the service')
    expect(authPage).toContain('-b &quot;__Host-lathe=$SESSION&quot;')
    expect(authPage).toContain(
      '-H &quot;Origin: https://files.example.org&quot; -H &quot;Sec-Fetch-Site: same-origin&quot;',
    )
    expect(authPage).not.toContain('API key with the scope')
  })

  it('S15: has no script, no inline style, and nothing from elsewhere', () => {
    expect(page).not.toMatch(/<script|<style|<iframe| style=| on\w+=|javascript:/i)
    const sources = [...page.matchAll(/ (?:src|href)="([^"#]+)"/g)].map(([, source]) => source)
    expect(sources).toEqual(['/lathe/docs/style.css', '/lathe/openapi.json', '/lathe/other'])
  })
})
