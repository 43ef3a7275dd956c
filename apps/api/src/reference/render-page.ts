import { type Html, html } from './html.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import { type Endpoint, renderOperation } from './render-operation.ts'
import { renderSchema } from './render-schema.ts'
import { renderText } from './render-text.ts'

/** Where a page of the reference is, and what it links to. */
export interface PagePlace {
  /** The path prefix of the service. */
  readonly base: string
  /** The path of the document. */
  readonly file: string
  /** The other page of the reference. */
  readonly other: { readonly path: string; readonly title: string }
}

/** The reference as one page of HTML without scripts. */
export function renderPage(document: OpenApiDocument, { base, file, other }: PagePlace): string {
  const { info, tags, components } = document
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Endpoint => ({ method, path, operation })),
  )
  const groups = tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const types = Object.entries(components.schemas)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API</title>
<link rel="stylesheet" href="${base}/docs/style.css">
</head>
<body>
<nav aria-label="Contents">
<p class="title">${info.title} API <small>${info.version}</small></p>
<p><a href="#about">About</a></p>
${groups.map(({ name, endpoints }) => renderMenu(name, endpoints))}
<details><summary>types</summary><ul>${types.map(([name]) => html`<li><a href="#type-${name}">${name}</a></li>`)}</ul></details>
</nav>
<main>
<section id="about">
<h1>${info.title} API</h1>
<p>${info.summary} <a href="${base}${file}">OpenAPI document</a></p>
<p>See also: <a href="${base}${other.path}">${other.title}</a></p>
${renderText(info.description)}
</section>
${groups.map(
  ({ name, description, endpoints }) => html`<section>
<h2 id="tag-${name}">${capitalized(name)}</h2>
<p>${description}</p>
${endpoints.map((endpoint) => renderOperation(endpoint, document))}
</section>`,
)}
<section>
<h2 id="types">Types</h2>
${types.map(([name, schema]) => html`<article id="type-${name}"><h3>${name}</h3>${renderSchema(schema)}</article>`)}
</section>
</main>
</body>
</html>
`.text
}

function renderMenu(name: string, endpoints: readonly Endpoint[]): Html {
  const items = endpoints.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary} <b class="${method}">${method.toUpperCase()}</b></a></li>`,
  )
  return html`<details open><summary>${name}</summary><ul>${items}</ul></details>`
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
