import {
  type BundleChange,
  type BundleMode,
  type BundlePart,
  planChanges,
  recordPointer,
  recordsByKey,
} from '../../kernel/bundle.ts'
import type { Clock } from '../../kernel/clock.ts'
import { readEach } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import type { Block, BlockContentFields } from './block.rules.ts'
import { BlockRecord } from './block.schema.ts'
import { mediaUse, mediaUser } from './block.service.ts'
import { type BlockName, deleteBlock, insertBlock, listAllBlocks, lockAllBlocks, updateBlock } from './block.store.ts'
import { readLocaleAt, refuseBadValue, renderedHtml } from './block-input.ts'

const part = 'blocks'

type Wanted = BlockName & BlockContentFields

/** The content blocks in a bundle. */
export function blockPart({ clock, media }: { clock: Clock; media: MediaLibrary }): BundlePart<PlatformScope> {
  async function compare(platform: PlatformScope, records: BlockRecord[], mode: BundleMode) {
    const current = new Map((await listAllBlocks(platform)).map((block) => [blockName(block), block]))
    const read = await readEach(records, (record, index) => readRecord(record, recordPointer(part, index)))
    const wanted = recordsByKey(part, read, blockName)
    const present = new Map([...current].map(([name, block]) => [name, blockRecord(block)]))
    return { current, wanted, changes: planChanges(present, wanted, mode) }
  }

  async function write(
    tx: PlatformScope,
    { key: name, action }: BundleChange,
    { current, wanted }: { current: Map<string, Block>; wanted: Map<string, Wanted> },
  ): Promise<void> {
    const now = clock.now()
    const before = current.get(name)
    const terms = wanted.get(name)
    if (action === 'remove' && before !== undefined) {
      await deleteBlock(tx, before.id)
      await media.setUses(tx, mediaUser(before), [])
    }
    if (terms === undefined || action === 'keep') return
    const html = await renderedHtml(terms)
    const after =
      before === undefined
        ? await insertBlock(tx, { ...terms, html, id: newId(now), createdAt: now })
        : await updateBlock(tx, { ...before, ...terms, html, updatedAt: now })
    if (after !== null) await media.setUses(tx, mediaUse(after), [])
  }

  return {
    name: part,
    record: BlockRecord,
    export: async (platform) => (await listAllBlocks(platform)).map(blockRecord),
    plan: async (platform, { records, mode }) => (await compare(platform, records as BlockRecord[], mode)).changes,
    apply: async (tx, { records, mode }) => {
      await lockAllBlocks(tx)
      const compared = await compare(tx, records as BlockRecord[], mode)
      for (const change of compared.changes) await write(tx, change, compared)
      return compared.changes
    },
  }
}

function blockName({ key, locale }: BlockName): string {
  return `${key}@${locale}`
}

function blockRecord({ key, locale, type, value, description }: Block): Wanted {
  return { key, locale, type, value, description }
}

function readRecord({ key, locale, type, value, description = null }: BlockRecord, place: string): Wanted {
  const record = { key, locale: readLocaleAt(locale, `${place}/locale`), type, value, description }
  refuseBadValue(record, `${place}/value`)
  return record
}
