import type { APIRoute, GetStaticPaths } from 'astro'
import { readPages } from '../site/read-pages.ts'

export const getStaticPaths: GetStaticPaths = () =>
  readPages().map(({ slug, title, body }) => ({ params: { slug }, props: { text: `# ${title}\n\n${body}\n` } }))

/** Every page as Markdown, at its URL with `.md`. */
export const GET: APIRoute<{ text: string }> = ({ props }) => new Response(props.text)
