/** Programs that use a key, for the terminal and for a project. */
export interface Snippets {
  readonly curl: string
  readonly typescript: string
  readonly cli: string
}

const hello = `data:text/markdown;base64,${btoa('# Hello\n\nConverted by Lathe.\n')}`

/** Snippets that run as they are; the last two expect a file `photo.jpg`. */
export function makeSnippets(baseUrl: string, key: string): Snippets {
  return {
    curl: [
      `curl -s ${baseUrl}/v1/process/jobs \\`,
      `  -H "Authorization: Bearer ${key}" \\`,
      '  -H "Content-Type: application/json" \\',
      '  -H "Prefer: wait=30" \\',
      `  -d '{ "tasks": {`,
      `    "text": { "operation": "import/base64", "file": "${hello}", "filename": "hello.md" },`,
      '    "page": { "operation": "convert", "input": "text", "output_format": "html" }',
      "  } }'",
    ].join('\n'),
    typescript: [
      '// npm install @lathe/sdk',
      "import { Lathe } from '@lathe/sdk'",
      '',
      `const lathe = new Lathe({ baseUrl: '${baseUrl}', key: '${key}' })`,
      "const image = await lathe.convert('photo.jpg', 'webp')",
      'await image.save()',
    ].join('\n'),
    cli: [
      'npm install --global @lathe/cli',
      `lathe login --url ${baseUrl} --key ${key}`,
      'lathe convert photo.jpg --to webp',
    ].join('\n'),
  }
}
