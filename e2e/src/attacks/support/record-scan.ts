import type { Stack } from '@lathe/testing'

const tables = ['jobs', 'tasks', 'files', 'events'] as const

/** Database tables that contain a token. */
export async function findTokensInRecord({ database }: Stack, tokens: readonly string[]): Promise<readonly string[]> {
  const patterns = tokens.map((token) => `%${token}%`)
  const found = await Promise.all(
    tables.map(async (table) => {
      const sql = `select 1 from ${table} as row where row::text like any($1) limit 1`
      return (await database.pool.query(sql, [patterns])).rows.length > 0 ? [table] : []
    }),
  )
  return found.flat()
}
