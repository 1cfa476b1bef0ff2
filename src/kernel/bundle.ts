import type { Static, TSchema } from 'typebox'
import { differingFields } from './differing-fields.ts'
import type { MarkupRenderer } from './markup.ts'
import { fieldErrorText, invalidField, Refusal } from './refusal.ts'
import { StrictObject } from './schemas.ts'
import { Type } from './type.ts'

/** `mirror` also removes what the bundle does not have; `merge` leaves it. */
export type BundleMode = 'merge' | 'mirror'

export type BundleRecord = Record<string, unknown>

/** `markup` remembers: what is planned and then applied is rendered once, and before anything is locked. */
export type BundlePartInput = { records: BundleRecord[]; mode: BundleMode; markup: MarkupRenderer }

/** `key` is the record's natural key, `fields` what differs where it is an update. */
export type BundleChange = { key: string; action: 'create' | 'update' | 'keep' | 'remove'; fields: string[] }

/**
 * One kind of record of the catalog or the content, as it leaves an installation and comes into another. Records name
 * each other by slugs and keys, files by their SHA-256, and hold no ids, moments or revisions: what is equal in two
 * installations is equal in their exports. Parts are applied in the order in which they are given: what a record
 * names belongs to its own part or to an earlier one.
 */
export type BundlePart<Scope> = {
  /** The member of the bundle that holds the records. */
  name: string
  /** Checked before the part sees a record, and shown in the API reference. */
  record: TSchema
  /** All records, by their keys, so that the same state gives the same bytes. */
  export(scope: Scope): Promise<BundleRecord[]>
  /** What `apply` would do. Writes nothing; refuses what `apply` would refuse. */
  plan(scope: Scope, ask: BundlePartInput): Promise<BundleChange[]>
  /** Does it, inside the transaction of the whole bundle. Who imported and that the public sees something new is written by the caller. */
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

/** Records that are read and compared at once: enough to be quick, few enough to be held in memory with their texts. */
const portionMax = 100

export function splitIntoChunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / portionMax) }, (_, index) =>
    items.slice(index * portionMax, (index + 1) * portionMax),
  )
}

/**
 * What `read` gives. Its refusals name places of a single request; they leave here with the place in the bundle, where
 * a file or a record is no `mediaId` or `versionId` but a `media` or a `version`.
 */
export async function withBundlePointer<T>(place: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { errors, ...options } = error.options
    const [first] = errors ?? []
    if (errors === undefined || first === undefined)
      throw new Refusal(error.code, { ...options, detail: `${place}: ${options.detail ?? error.message}` })
    const placed = errors.map((fault) => ({
      ...fault,
      path: fault.path.startsWith(place) ? fault.path : fault.path.replace(/^\/body/, place).replace(/Id$/, ''),
    }))
    throw new Refusal(error.code, {
      ...options,
      detail: fieldErrorText(placed[0]?.path ?? '', first.message),
      errors: placed,
    })
  }
}

/** Where a record stands in the request, for refusals. */
export function recordPointer(part: string, index: number): string {
  return `/body/parts/${part}/${index}`
}

/** The records by their keys. Refuses with VALIDATION_ERROR a key that comes twice. */
export function recordsByKey<R>(part: string, records: R[], keyOf: (record: R) => string): Map<string, R> {
  const found = new Map<string, R>()
  for (const [index, record] of records.entries()) {
    const key = keyOf(record)
    if (found.has(key))
      throw invalidField(recordPointer(part, index), { code: 'duplicate', message: `comes a second time: ${key}` })
    found.set(key, record)
  }
  return found
}

/** What has to be done for `current` to become `wanted`; both whole, with every member that is compared. */
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
