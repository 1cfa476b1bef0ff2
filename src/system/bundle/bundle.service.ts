import type { Audit } from '../../identity/index.ts'
import type { BundleChange, BundleMode, BundleRecord } from '../../kernel/bundle.ts'
import { readEach } from '../../kernel/field-rules.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { memoizedMarkup } from '../../text/markup.ts'
import type { Part } from './bundle.schema.ts'

export type BundleDeps = { bundleParts: Part[]; audit: Audit; publicChanged: PublicChanged }

type PartChange = BundleChange & { part: string }
type Sent = Record<string, BundleRecord[]>

export function bundleService({ bundleParts, audit, publicChanged }: BundleDeps) {
  async function exportAll(platform: PlatformScope): Promise<Sent> {
    const records: Sent = {}
    for (const part of bundleParts) records[part.name] = await part.export(platform)
    return records
  }

  /** The changes that an import would make. Refuses with VALIDATION_ERROR at the place. */
  async function plan(platform: PlatformScope, sent: Sent, mode: BundleMode): Promise<PartChange[]> {
    return planWith(memoizedMarkup(), { platform, sent, mode })
  }

  function planWith(
    markup: MarkupRenderer,
    { platform, sent, mode }: { platform: PlatformScope; sent: Sent; mode: BundleMode },
  ) {
    return inTurn(sent, (part, records) => part.plan(platform, { records, mode, markup }))
  }

  /** Imports everything or nothing. Parts that the bundle does not contain stay as they are in any mode. */
  async function apply(platform: PlatformScope, sent: Sent, mode: BundleMode): Promise<PartChange[]> {
    const markup = memoizedMarkup()
    // Refused bundles lock nothing, and nobody waits while Markdown is rendered.
    await planWith(markup, { platform, sent, mode })
    return transaction(platform, async (tx) => {
      const changes = await inTurn(sent, (part, records) => part.apply(tx, { records, mode, markup }))
      const { keep, ...done } = countActions(changes)
      if (changes.length === keep) return changes
      await audit(tx, {
        action: 'bundle.import',
        target: { type: 'bundle', id: null },
        changes: { mode, parts: Object.keys(sent), ...done },
      })
      await publicChanged(tx)
      return changes
    })
  }

  async function inTurn(
    sent: Sent,
    work: (part: Part, records: BundleRecord[]) => Promise<BundleChange[]>,
  ): Promise<PartChange[]> {
    const changes = await readEach(bundleParts, async (part) => {
      const records = sent[part.name]
      const ofPart = records === undefined ? [] : await work(part, records)
      return ofPart.map((change): PartChange => ({ part: part.name, ...change }))
    })
    return changes.flat()
  }

  return { exportAll, plan, apply }
}

export function countActions(changes: BundleChange[]): Record<BundleChange['action'], number> {
  const counts = { create: 0, update: 0, keep: 0, remove: 0 }
  for (const { action } of changes) counts[action] += 1
  return counts
}
