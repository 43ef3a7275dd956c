import type { ObjectId } from '@lathe/domain'
import type { Workshop } from './workshop.ts'

/** Makes every write to one task fail. */
export async function poison(
  { database: { pool } }: Pick<Workshop, 'database'>,
  id: ObjectId,
): Promise<AsyncDisposable> {
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'poison'; end $$`)
  await pool.query(
    `create trigger poison before update on tasks for each row when (old.id = '\\x${id}') execute function refuse()`,
  )
  return {
    async [Symbol.asyncDispose]() {
      await pool.query('drop trigger poison on tasks')
      await pool.query('drop function refuse')
    },
  }
}
