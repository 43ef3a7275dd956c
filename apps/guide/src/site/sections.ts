/** A page of the site. Pages with a `source` are files of the repository; the others are in `src/content/docs`. */
export interface PageEntry {
  /** Its path below `/guide/`. */
  readonly slug: string
  /** The Markdown file it is rendered from, relative to the root of the repository. */
  readonly source?: string
  /** Its name in the navigation, if the title is too long. */
  readonly label?: string
}

/** A group of the navigation, in reading order. */
export interface Section {
  readonly label: string
  readonly isCollapsed?: boolean
  readonly pages: readonly PageEntry[]
}

const fromDocs = (slug: string, file: string, label?: string): PageEntry => ({
  slug,
  source: `docs/${file}`,
  ...(label === undefined ? {} : { label }),
})

/** Every page except the first one, which is `index`. */
export const sections: readonly Section[] = [
  {
    label: 'Start',
    pages: [
      fromDocs('install', 'install.md', 'Docker Compose'),
      { slug: 'start/curl', label: 'curl' },
      { slug: 'start/sdk', label: 'TypeScript' },
      { slug: 'start/cli', label: 'Command line' },
    ],
  },
  {
    label: 'Build with Lathe',
    pages: [
      { slug: 'jobs' },
      { slug: 'uploads' },
      { slug: 'options' },
      { slug: 'notifications' },
      { slug: 'verify-webhooks' },
      { slug: 'browser-apps' },
      fromDocs('mcp', 'mcp.md'),
      { slug: 'n8n', source: 'packages/n8n-nodes-lathe/README.md', label: 'n8n' },
    ],
  },
  {
    label: 'API',
    pages: [
      fromDocs('api', 'api/README.md'),
      fromDocs('events', 'events.md'),
      fromDocs('webhooks', 'webhooks.md'),
      { slug: 'sdk', source: 'packages/sdk/README.md', label: 'SDK' },
      { slug: 'python', source: 'clients/python/README.md', label: 'Python client' },
      { slug: 'cli', source: 'apps/cli/README.md', label: 'lathe command' },
    ],
  },
  {
    label: 'Run it yourself',
    pages: [
      fromDocs('install-debian', 'install-debian.md', 'Install on Debian'),
      fromDocs('kubernetes', 'kubernetes.md', 'Install on Kubernetes'),
      fromDocs('operations', 'operations.md'),
      fromDocs('accounts', 'accounts.md'),
      { slug: 'security', source: 'SECURITY.md' },
      fromDocs('secrets', 'secrets.md'),
      fromDocs('scaling', 'scaling.md'),
      fromDocs('backup', 'backup.md'),
      fromDocs('upgrades', 'upgrades.md'),
      fromDocs('runbooks', 'runbooks/README.md'),
    ],
  },
  {
    label: 'Migrate',
    pages: [
      { slug: 'migrate/cloudconvert', label: 'From CloudConvert' },
      { slug: 'migrate/freeconvert', label: 'From FreeConvert' },
    ],
  },
  {
    label: 'Reference',
    pages: [
      fromDocs('reference/operations', 'api/operations.md'),
      fromDocs('reference/formats', 'formats.md'),
      fromDocs('reference/options', 'options.md'),
      fromDocs('reference/errors', 'errors.md'),
      fromDocs('reference/limits', 'limits.md'),
      fromDocs('reference/configuration', 'configuration.md'),
      fromDocs('reference/glossary', 'glossary.md'),
      { slug: 'changelog', source: 'CHANGELOG.md' },
    ],
  },
  {
    label: 'Contribute',
    isCollapsed: true,
    pages: [
      { slug: 'contributing', source: 'CONTRIBUTING.md' },
      fromDocs('architecture', 'architecture.md'),
      fromDocs('connectors', 'connectors.md'),
      fromDocs('decisions', 'decisions/README.md'),
      fromDocs('attacks', 'attacks.md'),
      fromDocs('real-files', 'real-files.md'),
    ],
  },
]
