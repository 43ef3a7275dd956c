import { createHash } from 'node:crypto'

/** Pages without inline scripts and styles, and the files with their contents, by name. */
export interface Moved {
  readonly pages: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, string>
}

const inlineScript = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g
// A tag with its attributes, whose quoted values may contain `>`.
const tag = /<[a-zA-Z](?:[^"'<>]|"[^"]*"|'[^']*')*>/g
const styleAttribute = /\sstyle="([^"]*)"/
const classAttribute = /\sclass="([^"]*)"/

/**
 * Moves inline scripts and styles of pages into files, so that the pages work under a Content Security Policy that only
 * allows files of the same origin. A style attribute becomes a class. `folder` is the URL path of the files.
 */
export function moveInline(pages: ReadonlyMap<string, string>, folder: string): Moved {
  const files = new Map<string, string>()
  const rules = new Map<string, string>()
  const without = new Map<string, string>()
  for (const [name, html] of pages) {
    const scripted = html.replaceAll(inlineScript, (_all, attributes: string, code: string) => {
      const file = `inline.${hashOf(code)}.js`
      files.set(file, code)
      return `<script${attributes} src="${folder}/${file}"></script>`
    })
    without.set(
      name,
      scripted.replaceAll(tag, (found) => moveStyle(found, rules)),
    )
  }
  const css = [...rules].map(([name, style]) => `.${name}{${style}}`).join('\n')
  const file = `inline.${hashOf(css)}.css`
  files.set(file, css)
  const link = `<link rel="stylesheet" href="${folder}/${file}"/></head>`
  return { files, pages: new Map([...without].map(([name, html]) => [name, html.replace('</head>', link)])) }
}

/** The highlighter's style sheet selects colored spans by style attribute; this selects them by class. */
export function adaptStyleSheet(css: string): string {
  return css.replaceAll("span[style^='--']:not([class])", "span[class^='inline-']")
}

function moveStyle(found: string, rules: Map<string, string>): string {
  const [all, style] = styleAttribute.exec(found) ?? []
  if (all === undefined || style === undefined) return found
  const bare = found.replace(all, '')
  // A script shows such an element by removing the style, which it could not do with a class.
  if (/^display:\s*none;?$/.test(style)) return bare
  const name = `inline-${hashOf(style)}`
  rules.set(name, style.replaceAll('&quot;', '"').replaceAll('&#39;', "'"))
  if (classAttribute.test(bare)) return bare.replace(classAttribute, (_all, own: string) => ` class="${own} ${name}"`)
  return bare.replace(/^<[a-zA-Z][\w-]*/, (start) => `${start} class="${name}"`)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
