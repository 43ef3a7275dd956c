import type { APIRoute } from 'astro'
import { renderIndex } from '../site/render-index.ts'

/** A list of all pages for language models, in the format of llmstxt.org. */
export const GET: APIRoute = () => new Response(renderIndex())
