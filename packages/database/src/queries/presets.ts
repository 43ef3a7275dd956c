import type { ObjectId } from '@lathe/domain'
import type { ProcessingOperation } from '@lathe/operations'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** Named settings of an operation. */
export interface PresetRecord {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly name: string
  readonly operation: ProcessingOperation
  readonly outputFormat: string | null
  readonly options: Readonly<Record<string, unknown>>
  /** Whether only the user who created it sees it. */
  readonly personal: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The user who reads presets: those of the owner, and personal ones. */
export interface PresetReader {
  readonly ownerId: ObjectId
  readonly userId: ObjectId
}

const columns = `id, owner_id as "ownerId", user_id as "userId", name, operation, output_format as "outputFormat",
  options, personal, created_at as "createdAt", updated_at as "updatedAt"`
const visible = `owner_id = $1 and (not personal or user_id = $2)`

export async function insertPreset(tx: Executor, preset: PresetRecord): Promise<void> {
  const { id, ownerId, userId, name, operation, outputFormat, options, personal, createdAt, updatedAt } = preset
  await tx.query(
    `insert into presets (id, owner_id, user_id, name, operation, output_format, options, personal, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[bytes(id), bytes(ownerId), bytes(userId), name, operation, outputFormat, JSON.stringify(options)],
      ...[personal, createdAt, updatedAt],
    ],
  )
}

/** How many presets an owner has, including personal ones of all users. */
export async function countPresets(tx: Executor, ownerId: ObjectId): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(`select count(*)::int as count from presets where owner_id = $1`, [
    bytes(ownerId),
  ])
  return rows[0]?.count ?? 0
}

/** All presets visible to a user, newest first. */
export async function listPresets(db: Executor, { ownerId, userId }: PresetReader): Promise<readonly PresetRecord[]> {
  const { rows } = await db.query<PresetRecord>(`select ${columns} from presets where ${visible} order by id desc`, [
    bytes(ownerId),
    bytes(userId),
  ])
  return rows
}

/** The visible presets among some ids. */
export async function findPresets(
  db: Executor,
  { ownerId, userId, ids }: PresetReader & { readonly ids: readonly ObjectId[] },
): Promise<readonly PresetRecord[]> {
  const { rows } = await db.query<PresetRecord>(
    `select ${columns} from presets where ${visible} and id = any($3::bytea[])`,
    [bytes(ownerId), bytes(userId), manyBytes(ids)],
  )
  return rows
}

/** The fields of a preset that can change. */
export type PresetChange = Pick<PresetRecord, 'name' | 'outputFormat' | 'options' | 'personal' | 'updatedAt'>

/** Writes a changed preset; undefined if it no longer exists. */
export async function updatePreset(
  db: Executor,
  { ownerId, userId, id }: PresetReader & { readonly id: ObjectId },
  { name, outputFormat, options, personal, updatedAt }: PresetChange,
): Promise<PresetRecord | undefined> {
  const { rows } = await db.query<PresetRecord>(
    `update presets set name = $4, output_format = $5, options = $6, personal = $7, updated_at = $8
      where ${visible} and id = $3 returning ${columns}`,
    [bytes(ownerId), bytes(userId), bytes(id), name, outputFormat, JSON.stringify(options), personal, updatedAt],
  )
  return rows[0]
}

/** Deletes a preset; false if the user sees no such preset. */
export async function deletePreset(
  db: Executor,
  { ownerId, userId, id }: PresetReader & { readonly id: ObjectId },
): Promise<boolean> {
  const { rowCount } = await db.query(`delete from presets where ${visible} and id = $3`, [
    bytes(ownerId),
    bytes(userId),
    bytes(id),
  ])
  return rowCount === 1
}
