import type { APIRoute } from 'astro'
import { renderIndex } from '../site/render-index.ts'

/** A list of all pages for language models, as llmstxt.org describes it. */
export const GET: APIRoute = () => new Response(renderIndex())
