const root = new URL('../../../', import.meta.url)

/** Returns the defaults of the settings of an app or package. */
export async function defaultOf(
  owner: 'apps/api' | 'packages/orchestrator' | 'packages/sandbox',
): Promise<(variable: string) => number> {
  const exported: Readonly<Record<string, unknown>> = await import(new URL(`${owner}/src/config.ts`, root).href)
  const schemas = Object.values(exported).filter(isSchema)
  return (variable) => {
    const found = schemas.find(({ properties }) => variable in properties)?.properties[variable]?.default
    if (typeof found !== 'number') throw new Error(`${variable} of ${owner} has no number as its default`)
    return found
  }
}

interface Schema {
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'properties' in value
}
