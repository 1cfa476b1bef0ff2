import type { Static, TSchema } from 'typebox'
import { differingFields } from './differing-fields.ts'
import type { MarkupRenderer } from './markup.ts'
import { invalidField, invalidFields, Refusal } from './refusal.ts'
import { StrictObject } from './schemas.ts'
import { Type } from './type.ts'

/** `mirror` also removes what the bundle does not have; `merge` leaves it. */
export type BundleMode = 'merge' | 'mirror'

export type BundleRecord = Record<string, unknown>

/** `markup` caches: what is planned and then applied is rendered once, before anything is locked. */
export type BundlePartInput = { records: BundleRecord[]; mode: BundleMode; markup: MarkupRenderer }

/** `key` is the record's natural key. `fields` are those that differ, for an update. */
export type BundleChange = { key: string; action: 'create' | 'update' | 'keep' | 'remove'; fields: string[] }

/**
 * One kind of record that can be exported from one installation and imported into another. Records name each other by slugs
 * and keys, and files by their SHA-256. They hold no ids, timestamps or revisions: what is equal in two installations is
 * equal in their exports. Parts are applied in their order: a record names only records of its own part or an earlier one.
 */
export type BundlePart<Scope> = {
  /** The member of the bundle that holds the records. */
  name: string
  /** Checked before the part sees a record, and shown in the API reference. */
  record: TSchema
  /** All records, ordered by key, so that the same state gives the same bytes. */
  export(scope: Scope): Promise<BundleRecord[]>
  /** The changes that `apply` would make. Writes nothing, and refuses what `apply` would refuse. */
  plan(scope: Scope, ask: BundlePartInput): Promise<BundleChange[]>
  /** Makes the changes, in the transaction of the whole bundle. The caller writes the audit entry and the public revision. */
  apply(tx: Scope, ask: BundlePartInput): Promise<BundleChange[]>
}

/** An uploaded file in a bundle. */
export const FileRecord = StrictObject({
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', examples: [`${'0'.repeat(63)}1`] }),
  filename: Type.String({ maxLength: 255, description: 'For the reader alone.', examples: ['hero.webp'] }),
})
export type FileRecord = Static<typeof FileRecord>

export const formerSlugsDescription =
  'Slugs it had before, which lead to it as long as nothing else has them. Absent: they stay as they are.'

/** Records that are read and compared at once: enough to be fast, few enough to keep in memory with their texts. */
const chunkSize = 100

export function splitIntoChunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize),
  )
}

/**
 * Returns what `read` returns. Its refusals point into a single request; here they get the pointer into the bundle, in
 * which `mediaId` is called `media` and `versionId` is called `version`.
 */
export async function withBundlePointer<T>(pointer: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { errors, ...options } = error.options
    if (errors === undefined || errors.length === 0)
      throw new Refusal(error.code, { ...options, detail: `${pointer}: ${options.detail ?? error.message}` })
    const moved = errors.map((fault) => ({
      ...fault,
      path: fault.path.startsWith(pointer) ? fault.path : fault.path.replace(/^\/body/, pointer).replace(/Id$/, ''),
    }))
    throw new Refusal(error.code, { ...options, ...invalidFields(moved).options })
  }
}

/** The JSON pointer of a record in the request, for refusals. */
export function recordPointer(part: string, index: number): string {
  return `/body/parts/${part}/${index}`
}

/** The records by key. Refuses VALIDATION_ERROR if a key occurs twice. */
export function recordsByKey<R>(part: string, records: R[], recordKey: (record: R) => string): Map<string, R> {
  const found = new Map<string, R>()
  for (const [index, record] of records.entries()) {
    const key = recordKey(record)
    if (found.has(key))
      throw invalidField(recordPointer(part, index), { code: 'duplicate', message: `is a duplicate: ${key}` })
    found.set(key, record)
  }
  return found
}

/** The changes that turn `current` into `wanted`. Both are complete, with every member that is compared. */
export function planChanges(
  current: ReadonlyMap<string, object>,
  wanted: ReadonlyMap<string, object>,
  mode: BundleMode,
): BundleChange[] {
  const changes = [...wanted].map(([key, record]): BundleChange => {
    const before = current.get(key)
    if (before === undefined) return { key, action: 'create', fields: [] }
    const fields = differingFields(before, record)
    return { key, action: fields.length === 0 ? 'keep' : 'update', fields }
  })
  if (mode === 'merge') return changes
  const gone = [...current.keys()].filter((key) => !wanted.has(key))
  return [...changes, ...gone.map((key): BundleChange => ({ key, action: 'remove', fields: [] }))]
}
