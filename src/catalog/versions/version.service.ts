import type { MediaLibrary } from '../../content/index.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { markup } from '../../text/markup.ts'
import { releaseDownloadFiles } from '../downloads/download.service.ts'
import {
  type ProductChildDeps,
  type ProductChildKind,
  productChildService,
} from '../product-child/product-child.service.ts'
import type { ListByProduct } from '../product-child/public-product.ts'
import { parseSemanticVersion } from './semantic-version.ts'
import type { VersionFields } from './version.rules.ts'
import type { NewVersion, PublicVersion, VersionChange } from './version.schema.ts'
import { listLatestIds, listNewestVersions, type Version, versionStore } from './version.store.ts'

/** The most versions of a product that the product itself lists. */
const listedMax = 20

export type VersionDeps = ProductChildDeps & { media: MediaLibrary }

/** Refuses VALIDATION_ERROR for what is not a semantic version, and STATE_CONFLICT for one that the product has. */
export function versionService({ media, ...deps }: VersionDeps) {
  const kind: ProductChildKind<VersionFields, VersionChange, NewVersion> = {
    auditName: 'version',
    store: versionStore,
    defaults: versionDefaults,
    rules: ({ version, releasedAt, yanked, yankReason, ...sent }, isNew) => [
      ruleFor(version, parseVersion),
      ruleFor(releasedAt, (text) => parseReleasedAt(text, deps.clock.now())),
      ruleFor(yankReason, () => (isNew && !yanked && !('yanked' in sent) ? refuseReasonAlone() : undefined)),
    ],
    parse: (sent, now) => parseVersionChange(sent, { now, markup }),
    validate: async (_, { before, after }) => withConsistentYank(before, after),
    unique: {
      field: 'version',
      taken: (version) => new Refusal('STATE_CONFLICT', { detail: `The product already has version ${version}.` }),
    },
    // The downloads of a version are removed with it.
    beforeRemove: (tx, { product, id }) => releaseDownloadFiles(tx, { productId: product.id, versionId: id, media }),
    derived: ['precedence', 'notesHtml'],
  }
  return productChildService(deps, kind)
}

export function versionDefaults(now: Date): Omit<VersionFields, 'version'> {
  return {
    precedence: '',
    channel: 'stable',
    releasedAt: now,
    notes: null,
    notesHtml: null,
    breaking: false,
    minRequirements: {},
    yankedAt: null,
    yankReason: null,
  }
}

/** Refuses VALIDATION_ERROR. */
export async function parseVersionChange(
  { version, releasedAt, notes, yanked, yankReason, ...sent }: VersionChange,
  { now, markup: { renderMarkdown } }: { now: Date; markup: MarkupRenderer },
): Promise<Partial<VersionFields>> {
  return {
    ...(version === undefined ? {} : parseVersion(version)),
    ...(releasedAt === undefined ? {} : { releasedAt: parseReleasedAt(releasedAt, now) }),
    ...(notes === undefined ? {} : { notes, notesHtml: notes === null ? null : (await renderMarkdown(notes)).html }),
    ...(yanked === undefined ? {} : { yankedAt: yanked ? now : null }),
    ...(yankReason === undefined ? {} : { yankReason }),
    ...sent,
  }
}

/** Keeps the time of the first yank. Refuses VALIDATION_ERROR for a new reason without a yank. */
export function withConsistentYank<T extends VersionFields>(before: VersionFields | null, after: T): T {
  const yankedAt = after.yankedAt === null ? null : (before?.yankedAt ?? after.yankedAt)
  if (yankedAt === null && after.yankReason !== null && after.yankReason !== before?.yankReason) refuseReasonAlone()
  return { ...after, yankedAt, yankReason: yankedAt === null ? null : after.yankReason }
}

function refuseReasonAlone(): never {
  throw invalidField('/body/yankReason', { code: 'yanked', message: 'requires `yanked: true`' })
}

/** Newest first, as the public sees them. */
export const listVersionsByProduct: ListByProduct<PublicVersion> = async (platform, productIds) => {
  const versions = await listNewestVersions(platform, productIds, listedMax)
  const views = await publicVersionViews(platform, versions)
  const viewsOf = Map.groupBy(views, (_, index) => versions[index]?.productId ?? '')
  return new Map(productIds.map((productId) => [productId, viewsOf.get(productId) ?? []]))
}

export async function publicVersionViews(platform: PlatformScope, versions: Version[]): Promise<PublicVersion[]> {
  const latest = await listLatestIds(platform, [...new Set(versions.map(({ productId }) => productId))])
  return versions.map((version) => {
    const { id, channel, notes, notesHtml, breaking, minRequirements, yankReason } = version
    return {
      id,
      version: version.version,
      channel,
      isLatest: latest.has(id),
      notes,
      notesHtml,
      breaking,
      minRequirements,
      yankReason,
      releasedAt: version.releasedAt.toISOString(),
      yankedAt: isoOrNull(version.yankedAt),
    }
  })
}

/** Refuses VALIDATION_ERROR. */
export function parseVersion(text: string) {
  const read = parseSemanticVersion(text)
  if (read === null)
    throw invalidField('/body/version', {
      code: 'semver',
      message: 'must be a semantic version (semver.org), such as 1.4.0-beta.2',
    })
  return read
}

/** Refuses a future date: the latest version would change later without a request. */
function parseReleasedAt(text: string, now: Date): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1)
    throw invalidField('/body/releasedAt', { code: 'format', message: 'must be a valid date and time' })
  if (at > now) throw invalidField('/body/releasedAt', { code: 'maximum', message: 'must not be in the future' })
  return at
}
