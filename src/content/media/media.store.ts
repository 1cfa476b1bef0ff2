import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import type { MediaUser } from './media-library.ts'
import type { MediaKind } from './media-type.rules.ts'

/** One blob of a file. */
export type MediaFile = {
  /** `original`, or the name of a variant. */
  variant: string
  sha256: string
  name: string
  mimeType: string
  size: number
  width: number | null
  height: number | null
}

export type Media = {
  id: string
  filename: string
  originalName: string
  mimeType: string
  kind: MediaKind
  size: number
  sha256: string
  width: number | null
  height: number | null
  hasAlpha: boolean | null
  alt: string | null
  title: string | null
  caption: string | null
  tags: string[]
  folder: string | null
  focalX: number
  focalY: number
  placeholder: string | null
  uploadedBy: string
  createdAt: Date
  updatedAt: Date
  revision: number
  files: MediaFile[]
  usedByCount: number
}

const columns = sql`m.id, m.filename, m.original_name as "originalName", m.mime_type as "mimeType", m.kind, m.size, m.sha256,
  m.width, m.height, m.has_alpha as "hasAlpha", m.alt, m.title, m.caption, m.tags, m.folder, m.focal_x as "focalX",
  m.focal_y as "focalY", m.placeholder, m.uploaded_by as "uploadedBy", m.created_at as "createdAt",
  m.updated_at as "updatedAt", m.revision,
  (select count(*)::int from media_uses u where u.media_id = m.id) as "usedByCount",
  (select jsonb_agg(jsonb_build_object('variant', f.variant, 'sha256', f.sha256, 'name', f.name, 'mimeType', f.mime_type,
      'size', f.size, 'width', f.width, 'height', f.height) order by f.size, f.variant)
    from media_files f where f.media_id = m.id) as files`

export function findMedia(scope: Scope, id: string): Promise<Media | null> {
  return maybeOne(scope, sql<Media>`select ${columns} from media m where m.id = ${id}`)
}

/** The ids of files by the SHA-256 of their content; missing files are left out. */
export async function findMediaByDigest(scope: Scope, digests: string[]): Promise<Map<string, string>> {
  const found = await many(
    scope,
    sql<{ id: string; sha256: string }>`select id, sha256 from media where sha256 = any(${digests}::text[])`,
  )
  return new Map(found.map(({ id, sha256 }) => [sha256, id]))
}

export function findMediaBySha256(scope: Scope, sha256: string): Promise<Media | null> {
  return maybeOne(scope, sql<Media>`select ${columns} from media m where m.sha256 = ${sha256}`)
}

export function findManyMedia(scope: Scope, ids: string[]): Promise<Media[]> {
  return many(scope, sql<Media>`select ${columns} from media m where m.id = any(${ids}::uuid[])`)
}

/** Locks the file: nobody else can change, remove or start to use it until the transaction ends. */
export async function lockMedia(tx: PlatformScope, id: string): Promise<Media | null> {
  const held = await maybeOne(tx, sql<{ id: string }>`select id from media where id = ${id} for update`)
  return held === null ? null : findMedia(tx, id)
}

export type MediaFilter = PageRequest & {
  q: string | null
  kind: string | null
  folder: string | null
  unused: boolean | null
}

export async function listMedia(platform: PlatformScope, ask: MediaFilter): Promise<Page<Media>> {
  const pattern = ask.q === null ? null : `%${ask.q.replace(/[\\%_]/g, '\\$&')}%`
  const conditions = [
    sql`true`,
    ...(ask.kind === null ? [] : [sql`m.kind = ${ask.kind}`]),
    ...(ask.folder === null ? [] : [sql`m.folder = ${ask.folder}`]),
    ...(ask.unused === null
      ? []
      : [sql`exists (select 1 from media_uses u where u.media_id = m.id) <> ${ask.unused}::boolean`]),
    ...(pattern === null
      ? []
      : [
          sql`concat_ws(chr(10), m.filename, m.original_name, m.alt, m.title, m.caption, array_to_string(m.tags, chr(10))) ilike ${pattern}`,
        ]),
  ]
  const wanted = sql.join(conditions, sql` and `)
  return listPage<Media>(platform, ask, {
    columns,
    from: sql`from media m where ${wanted}`,
    orderBy: sql`m.created_at desc, m.id desc`,
  })
}

export async function addMedia(tx: PlatformScope, media: Omit<Media, 'usedByCount'>): Promise<void> {
  const { width, height, hasAlpha, alt, title, caption, tags, folder, focalX, focalY } = media
  await run(
    tx,
    sql`insert into media (id, filename, original_name, mime_type, kind, size, sha256, width, height, has_alpha, alt, title,
        caption, tags, folder, focal_x, focal_y, placeholder, uploaded_by, created_at, updated_at, revision)
      values (${media.id}, ${media.filename}, ${media.originalName}, ${media.mimeType}, ${media.kind}, ${media.size},
        ${media.sha256}, ${width}, ${height}, ${hasAlpha}, ${alt}, ${title}, ${caption}, ${tags}::text[], ${folder}, ${focalX},
        ${focalY}, ${media.placeholder}, ${media.uploadedBy}, ${media.createdAt}, ${media.updatedAt}, ${media.revision})`,
  )
  for (const file of media.files) await putMediaFile(tx, media.id, file)
}

/** Adds or replaces the variant of that name. */
export async function putMediaFile(tx: PlatformScope, mediaId: string, file: MediaFile): Promise<void> {
  const { variant, sha256, name, mimeType, size, width, height } = file
  await run(
    tx,
    sql`insert into media_files (media_id, variant, sha256, name, mime_type, size, width, height)
      values (${mediaId}, ${variant}, ${sha256}, ${name}, ${mimeType}, ${size}, ${width}, ${height})
      on conflict (media_id, variant) do update set sha256 = excluded.sha256, name = excluded.name,
        mime_type = excluded.mime_type, size = excluded.size, width = excluded.width, height = excluded.height`,
  )
}

export type MediaTexts = Pick<Media, 'alt' | 'title' | 'caption' | 'tags' | 'folder' | 'focalX' | 'focalY'>

export async function updateMedia(tx: PlatformScope, id: string, to: MediaTexts & { now: Date }): Promise<void> {
  await run(
    tx,
    sql`update media set alt = ${to.alt}, title = ${to.title}, caption = ${to.caption}, tags = ${to.tags}::text[],
        folder = ${to.folder}, focal_x = ${to.focalX}, focal_y = ${to.focalY}, updated_at = ${to.now}, revision = revision + 1
      where id = ${id}`,
  )
}

export async function removeMedia(tx: PlatformScope, id: string): Promise<void> {
  await run(tx, sql`delete from media where id = ${id}`)
}

export function listMediaUsers(scope: Scope, id: string): Promise<MediaUser[]> {
  return many(
    scope,
    sql<MediaUser>`select user_kind as kind, user_id as id, label from media_uses where media_id = ${id} order by user_kind, label, user_id`,
  )
}

/** Returns the ids that exist, and keeps those files from being removed until the transaction ends. */
export async function lockMediaInUse(tx: Scope, ids: string[]): Promise<string[]> {
  const held = await many(
    tx,
    sql<{ id: string }>`select id from media where id = any(${ids}::uuid[]) order by id for key share`,
  )
  return held.map(({ id }) => id)
}

/** The same for files that have one of these hashes in an address, or a variant that does. */
export async function lockMediaByHash(tx: Scope, hashes: string[]): Promise<string[]> {
  const held = await many(
    tx,
    sql<{ id: string }>`select id from media where id in (
        select f.media_id from unnest(${hashes}::text[]) hash join media_files f on f.sha256 >= hash and f.sha256 < hash || 'g')
      order by id for key share`,
  )
  return held.map(({ id }) => id)
}

export async function replaceMediaUses(tx: Scope, { kind, id, label }: MediaUser, mediaIds: string[]): Promise<void> {
  await run(
    tx,
    sql`delete from media_uses where user_kind = ${kind} and user_id = ${id} and media_id <> all(${mediaIds}::uuid[])`,
  )
  await run(
    tx,
    sql`insert into media_uses (media_id, user_kind, user_id, label)
      select media_id, ${kind}, ${id}, ${label} from unnest(${mediaIds}::uuid[]) as used (media_id)
      on conflict (media_id, user_kind, user_id) do update set label = excluded.label`,
  )
}

export type ServedFile = MediaFile & { kind: MediaKind }

/** The blob of an address. If two files share the blob and its name, either is returned. */
export function findServedFile(scope: Scope, hash: string, name: string): Promise<ServedFile | null> {
  return maybeOne(
    scope,
    sql<ServedFile>`select f.variant, f.sha256, f.name, f.mime_type as "mimeType", f.size, f.width, f.height, m.kind
      from media_files f join media m on m.id = f.media_id
      where f.sha256 >= ${hash} and f.sha256 < ${`${hash}g`} and f.name = ${name} limit 1`,
  )
}
