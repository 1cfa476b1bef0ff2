import type { MediaSummary } from '../../content/index.ts'
import { type FileRecord, withBundlePointer } from '../../kernel/bundle.ts'
import { readEach } from '../../kernel/field-rules.ts'
import { invalidField, refuseFields } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { docSeoDefaults } from '../docs/doc.rules.ts'
import { downloadFaults } from '../downloads/download.rules.ts'
import { featureDefaults } from '../features/feature.rules.ts'
import { normalizePlan, type PlanFields, planDefaults } from '../plans/plan.rules.ts'
import { mergeFields } from '../product-child/product-child.rules.ts'
import { productMediaDefaults, productMediaFaults } from '../product-media/product-media.rules.ts'
import { noLinks, sortOrderDefault } from '../products/product.rules.ts'
import { parseStatus, parseType } from '../products/product-vocabulary.rules.ts'
import { parseVersion } from '../versions/version.service.ts'
import {
  type DocRecord,
  type DownloadRecord,
  type ListName,
  listKinds,
  type MediaRecord,
  type OwnFields,
  type ProductLists,
  type SectionRecord,
  type VersionRecord,
} from './product-record.rules.ts'
import type { ProductRecord } from './product-record.schema.ts'

/** Uploaded files by the SHA-256 of their content. */
export type FilesByDigest = ReadonlyMap<string, MediaSummary>

/** A record of a bundle with defaults for absent members, and its JSON pointer. Absent lists stay absent. */
export type WantedProduct = {
  pointer: string
  own: OwnFields
  formerSlugs: string[] | undefined
  lists: Partial<ProductLists>
}

type Sent<Name extends ListName> = NonNullable<ProductRecord[Name]>[number]
type ParseContext = { pointer: string; files: FilesByDigest }

/** Every digest in a record. */
export function listDigests({ media = [], downloads = [], ...own }: ProductRecord): string[] {
  const files = [
    ...media.flatMap((picture) => [picture.media, picture.posterMedia]),
    ...downloads.map((download) => download.media),
  ]
  return [...listOwnDigests(own), ...knownDigests(files)]
}

/** The digests in the product's own fields. */
export function listOwnDigests({
  iconMedia,
  coverMedia,
  seo,
}: Partial<Pick<ProductRecord, 'iconMedia' | 'coverMedia' | 'seo'>>) {
  return knownDigests([iconMedia, coverMedia, seo?.image])
}

function knownDigests(files: (FileRecord | null | undefined)[]): string[] {
  return files.flatMap((file) => (file ? [file.sha256] : []))
}

/** Refuses VALIDATION_ERROR with a JSON pointer. Renders nothing. */
export async function parseProductRecord(record: ProductRecord, context: ParseContext): Promise<WantedProduct> {
  const { pointer } = context
  const each = <Name extends ListName>(name: Name, parse: (sent: Sent<Name>, context: ParseContext) => unknown) =>
    parseList(record, name, { ...context, parse })
  return {
    pointer,
    own: parseOwnFields(record, context),
    formerSlugs: record.formerSlugs && [...new Set(record.formerSlugs)].sort(),
    lists: {
      ...(await each('features', (sent) => mergeFields(featureDefaults, sent, featureDefaults))),
      ...(await each('plans', parsePlan)),
      ...(await each('media', parseMedia)),
      ...(await each('docSections', parseSection)),
      ...(await each('docs', parseDoc)),
      ...(await each('versions', parseVersionRecord)),
      ...(await each('downloads', parseDownload)),
    },
  }
}

async function parseList<Name extends ListName>(
  record: ProductRecord,
  name: Name,
  { pointer, files, parse }: ParseContext & { parse: (sent: Sent<Name>, context: ParseContext) => unknown },
): Promise<Partial<ProductLists>> {
  const sent = record[name] as Sent<Name>[] | undefined
  if (sent === undefined) return {}
  const { keyOf, isRepeatable } = listKinds[name] as { keyOf(record: unknown): string; isRepeatable?: true }
  const keys = new Set<string>()
  const list = await readEach(sent, async (item, index) => {
    const itemPointer = `${pointer}/${name}/${index}`
    const wanted = await withBundlePointer(itemPointer, () => parse(item, { pointer: itemPointer, files }))
    const key = keyOf(wanted)
    if (keys.has(key) && !isRepeatable)
      throw invalidField(itemPointer, { code: 'duplicate', message: `occurs twice: ${key}` })
    keys.add(key)
    return wanted
  })
  return { [name]: list }
}

function parseOwnFields(record: ProductRecord, { pointer, files }: ParseContext): OwnFields {
  const { slug, name, seo, sunsetAt = null, replacedBy = null } = record
  const type = parseType(record.type, `${pointer}/type`)
  const status = parseStatus(record.status ?? 'DRAFT', `${pointer}/status`)
  refuseEndOfLife(record, pointer, status.word === 'DEPRECATED')
  return {
    slug,
    name,
    tagline: record.tagline ?? '',
    description: record.description ?? '',
    type: type.label ?? type.word,
    status: status.label ?? status.word,
    isFeatured: record.isFeatured ?? false,
    sortOrder: record.sortOrder ?? sortOrderDefault,
    apiPrefix: record.apiPrefix ?? null,
    iconMedia: resolveFile(record.iconMedia, `${pointer}/iconMedia`, files),
    coverMedia: resolveFile(record.coverMedia, `${pointer}/coverMedia`, files),
    tags: [...new Set(record.tags ?? [])],
    links: { ...noLinks, ...record.links },
    seo: {
      title: seo?.title ?? null,
      description: seo?.description ?? null,
      noindex: seo?.noindex ?? false,
      image: resolveFile(seo?.image, `${pointer}/seo/image`, files),
    },
    sunsetAt: sunsetAt === null ? null : parseTimestamp(sunsetAt, `${pointer}/sunsetAt`).toISOString(),
    replacedBy,
  }
}

/** Only a DEPRECATED product has an end. */
function refuseEndOfLife({ slug, sunsetAt, replacedBy }: ProductRecord, pointer: string, isDeprecated: boolean): void {
  for (const [name, value] of Object.entries({ sunsetAt, replacedBy })) {
    if (typeof value === 'string' && !isDeprecated)
      throw invalidField(`${pointer}/${name}`, {
        code: 'unexpected',
        message: 'is allowed only for a product whose status is DEPRECATED',
      })
  }
  if (replacedBy === slug)
    throw invalidField(`${pointer}/replacedBy`, { code: 'self', message: 'is the product itself' })
}

/** Refuses VALIDATION_ERROR for content that is not uploaded here. */
function resolveFile(file: FileRecord | null | undefined, pointer: string, files: FilesByDigest): FileRecord | null {
  if (!file) return null
  const known = files.get(file.sha256)
  if (known !== undefined) return { sha256: file.sha256, filename: known.filename }
  throw invalidField(`${pointer}/sha256`, {
    code: 'unknown',
    message: 'does not match an uploaded file; upload the file first',
  })
}

function parseMedia(sent: Sent<'media'>, { pointer, files }: ParseContext): MediaRecord {
  const media = resolveFile(sent.media, `${pointer}/media`, files)
  const posterMedia = resolveFile(sent.posterMedia, `${pointer}/posterMedia`, files)
  const ids = { mediaId: findMediaId(media, files), posterMediaId: findMediaId(posterMedia, files) }
  const { kind, url, alt, caption } = sent
  const fields = { ...mergeFields(productMediaDefaults, { url, alt, caption, ...ids }, productMediaDefaults), kind }
  refuseFields(productMediaFaults(fields))
  return { kind, url: fields.url, alt: fields.alt, caption: fields.caption, media, posterMedia }
}

function parsePlan(sent: Sent<'plans'>): PlanFields {
  const { code, name, ...rest } = sent
  return normalizePlan({ ...mergeFields(planDefaults, rest, planDefaults), code, name } as PlanFields)
}

export function findMediaId(file: FileRecord | null, files: FilesByDigest): string | null {
  return files.get(file?.sha256 ?? '')?.id ?? null
}

function parseSection({ slug, title, order, parent }: Sent<'docSections'>): SectionRecord {
  return { slug, title, order: order ?? 100, parent: parent ?? null }
}

function parseDoc({ slug, title, summary, markdown, order, status, section, seo }: Sent<'docs'>): DocRecord {
  return {
    slug,
    title,
    summary: summary ?? null,
    markdown,
    order: order ?? 100,
    status: status ?? 'DRAFT',
    section: section ?? null,
    seo: { ...docSeoDefaults, ...seo },
  }
}

function parseVersionRecord(sent: Sent<'versions'>, { pointer }: ParseContext): VersionRecord {
  const { version, channel } = parseVersion(sent.version)
  return {
    version,
    channel: sent.channel ?? channel,
    notes: sent.notes ?? null,
    breaking: sent.breaking ?? false,
    releasedAt: parseTimestamp(sent.releasedAt, `${pointer}/releasedAt`).toISOString(),
    minRequirements: sent.minRequirements ?? {},
    yanked: sent.yanked ?? false,
    yankReason: sent.yankReason ?? null,
  }
}

/** Absent members are taken from the uploaded file. */
function parseDownload(sent: Sent<'downloads'>, { pointer, files }: ParseContext): DownloadRecord {
  const media = resolveFile(sent.media, `${pointer}/media`, files)
  const file = files.get(media?.sha256 ?? '')
  const record: DownloadRecord = {
    version: typeof sent.version === 'string' ? parseVersion(sent.version).version : null,
    kind: sent.kind,
    platform: sent.platform ?? 'any',
    arch: sent.arch ?? 'any',
    fileName: sent.fileName ?? file?.filename ?? null,
    sizeBytes: sent.sizeBytes ?? file?.size ?? null,
    sha256: sent.sha256 ?? file?.sha256 ?? null,
    signature: sent.signature ?? null,
    media,
    externalUrl: sent.externalUrl ?? null,
    packageManager: sent.packageManager ?? null,
    installCommand: sent.installCommand ?? null,
    requiresLicense: sent.requiresLicense ?? false,
    isActive: sent.isActive ?? true,
    order: sent.order ?? 100,
  }
  refuseFields(downloadFaults({ ...record, versionId: null, mediaId: findMediaId(media, files) }))
  return record
}
