import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { differingFields } from '../../kernel/differing-fields.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { type Block, type BlockContentFields, isBlockKey, keyLengthMax } from './block.rules.ts'
import type { BlockChange, BlockContent, NewBlock } from './block.schema.ts'
import { type BlockName, deleteBlock, insertBlock, lockBlock, lockNamedBlock, updateBlock } from './block.store.ts'
import { readLocaleAt, refuseBadValue, renderedHtml } from './block-input.ts'

export type BlockDeps = { clock: Clock; audit: Audit; publicChanged: PublicChanged; media: MediaLibrary }

export type Blocks = ReturnType<typeof blockService>

type Put = { key: string; locale: string | undefined; asked: BlockContent; ifMatch: string | undefined }

export function blockService({ clock, audit, publicChanged, media }: BlockDeps) {
  /** Refuses with VALIDATION_ERROR, and with STATE_CONFLICT if the key already has a block in this locale. */
  async function create(platform: PlatformScope, { key, locale, ...asked }: NewBlock): Promise<Block> {
    const name = { key, locale: readLocaleAt(locale, '/body/locale') }
    const terms = blockFields(asked)
    refuseBadValue(terms, '/body/value')
    const html = await renderedHtml(terms)
    return transaction(platform, async (tx) => {
      const block = await insert(tx, { ...name, ...terms, html })
      if (block !== null) return block
      throw new Refusal('STATE_CONFLICT', { detail: `The block ${key} already exists in ${name.locale}.` })
    })
  }

  /**
   * Creates or replaces the block of this name; `isNew` says which. A repeat changes nothing. Refuses with
   * VALIDATION_ERROR and PRECONDITION_FAILED.
   */
  async function put(
    platform: PlatformScope,
    { key, locale, asked, ifMatch }: Put,
  ): Promise<{ block: Block; isNew: boolean }> {
    refuseBadKey(key)
    const name = { key, locale: readLocaleAt(locale, '/query/locale') }
    const terms = blockFields(asked)
    refuseBadValue(terms, '/body/value')
    const html = await renderedHtml(terms)
    return transaction(platform, async (tx) => {
      const before = await lockNamedBlock(tx, name)
      if (before === null && ifMatch !== undefined) throw blockMissing()
      const made = before === null ? await insert(tx, { ...name, ...terms, html }) : null
      if (made !== null) return { block: made, isNew: true }
      // Another transaction created it meanwhile, and has committed.
      const present = before ?? (await lockNamedBlock(tx, name))
      if (present === null) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 }) // made and removed in between
      requireRevision(ifMatch, present)
      return { block: await change(tx, present, { ...terms, html }), isNew: false }
    })
  }

  /** Refuses with NOT_FOUND, PRECONDITION_FAILED and VALIDATION_ERROR. */
  async function update(
    platform: PlatformScope,
    id: string,
    { asked, ifMatch }: { asked: BlockChange; ifMatch: string | undefined },
  ): Promise<Block> {
    return transaction(platform, async (tx) => {
      const before = await lockBlock(tx, id)
      requireRevision(ifMatch, before)
      const { type, value, description } = { ...before, ...asked }
      const terms = { type, value, description }
      refuseBadValue(terms, '/body/value')
      const isSameText = type === before.type && asked.value === undefined
      return change(tx, before, { ...terms, html: isSameText ? before.html : await renderedHtml(terms) })
    })
  }

  /** Refuses with NOT_FOUND and PRECONDITION_FAILED. */
  async function remove(platform: PlatformScope, id: string, ifMatch: string | undefined): Promise<void> {
    await transaction(platform, async (tx) => {
      const block = await lockBlock(tx, id)
      requireRevision(ifMatch, block)
      await deleteBlock(tx, id)
      await media.setUses(tx, mediaUser(block), [])
      await recordAudit(tx, 'block.delete', { block })
    })
  }

  async function insert(
    tx: PlatformScope,
    block: BlockName & BlockContentFields & { html: string | null },
  ): Promise<Block | null> {
    const now = clock.now()
    const made = await insertBlock(tx, { ...block, id: newId(now), createdAt: now })
    if (made === null) return null
    await media.setUses(tx, mediaUse(made), [])
    await recordAudit(tx, 'block.create', { block: made })
    return made
  }

  async function change(
    tx: PlatformScope,
    before: Block,
    terms: BlockContentFields & { html: string | null },
  ): Promise<Block> {
    const fields = differingFields({ ...before, ...terms }, before)
    if (fields.length === 0) return before
    const block = await updateBlock(tx, { ...before, ...terms, updatedAt: clock.now() })
    await media.setUses(tx, mediaUse(block), [])
    await recordAudit(tx, 'block.update', { block, fields: fields.filter((field) => field !== 'html') })
    return block
  }

  async function recordAudit(
    tx: PlatformScope,
    action: string,
    { block, ...rest }: { block: Block; fields?: string[] },
  ): Promise<void> {
    const { id, key, locale } = block
    // Not named `key`: the audit log withholds values under that name.
    await audit(tx, { action, target: { type: 'block', id }, changes: { block: key, locale, ...rest } })
    await publicChanged(tx)
  }

  return { create, put, update, remove }
}

/** How the media library identifies the block. */
export function mediaUser({ id, key }: Block) {
  return { kind: 'block', id, label: key } as const
}

/** The block with the texts it shows, for the media library. */
export function mediaUse(block: Block) {
  return { ...mediaUser(block), texts: block.value }
}

function blockFields({ type, value, description = null }: BlockContent): BlockContentFields {
  return { type, value, description }
}

function refuseBadKey(key: string): void {
  if (isBlockKey(key)) return
  throw invalidField('/params/key', {
    code: 'pattern',
    message: `must have 1 to ${keyLengthMax} lower-case letters, digits, dots, hyphens and underscores`,
  })
}

/** RFC 9110 section 13.1.1: a missing resource matches no entity tag, not even `*`. */
function blockMissing(): Refusal {
  return new Refusal('PRECONDITION_FAILED', { detail: 'No block has this key and locale.' })
}
