import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { isId } from '../../kernel/ids.ts'
import { type FieldError, refuseFields } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { findMediaPlaces } from '../sections/section.rules.ts'
import { sectionFaults } from '../sections/section-input.ts'
import { metaFaults, refuseEarlyEnd, refuseTooLarge } from './page.rules.ts'
import type { PageChange } from './page.schema.ts'

type Sent = Fitting<PageChange>
type Deps = { clock: Clock; media: Pick<MediaLibrary, 'find'> }

/** Rules of a new page, of a change and of a draft. */
export function pageRules(platform: PlatformScope, sent: Sent, { clock, media }: Deps): FieldRule[] {
  const { sections, meta, publishAt, unpublishAt } = sent
  const now = clock.now()
  return [
    ruleFor(sections, () => refuseTooLarge(sent)),
    ruleFor(sections, async (list) => refuseFields(await sectionFaults(list, '/body/sections'))),
    ruleFor(meta, (members) => refuseFields(metaFaults(members))),
    ruleFor(publishAt, (text) => parseFutureTimestamp(text, now, '/body/publishAt')),
    ruleFor(unpublishAt, (text) => parseFutureTimestamp(text, now, '/body/unpublishAt')),
    ruleFor(publishAt && unpublishAt, () =>
      refuseEarlyEnd({ publishAt: new Date(publishAt ?? ''), unpublishAt: new Date(unpublishAt ?? '') }),
    ),
    async () => refuseFields(await missingFiles(platform, sent, media)),
  ]
}

/** Members that a draft does not have. */
export function draftFaults(sent: Sent): FieldError[] {
  const names = (['slug', 'status', 'publishAt', 'unpublishAt'] as const).filter((name) => sent[name] !== undefined)
  const message = 'belongs to the page and not to its draft'
  return names.map((name) => ({ path: `/body/${name}`, code: 'draft', message }))
}

async function missingFiles(
  platform: PlatformScope,
  { sections = [], meta }: Sent,
  media: Pick<MediaLibrary, 'find'>,
): Promise<FieldError[]> {
  const ofSections = sections.flatMap((section, index) =>
    findMediaPlaces(section?.content, `/body/sections/${index}/content`).filter(({ id }) => isId(id)),
  )
  const { ogImage } = meta ?? {}
  const named = ogImage && isId(ogImage) ? [...ofSections, { id: ogImage, path: '/body/meta/ogImage' }] : ofSections
  const found = await media.find(platform, [...new Set(named.map(({ id }) => id))])
  return named
    .filter(({ id }) => !found.has(id))
    .map(({ path }) => ({ path, code: 'media', message: 'is not the id of an uploaded file' }))
}
