import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { sectionTypesText } from '../sections/section.types.ts'
import { pageStatuses, slugLengthMax, slugPattern } from './page.rules.ts'

const sectionId = '0193b6a0-6d2f-7b55-8e40-3c7a1d9f2b68'
const heroContent = { heading: 'Your network, anywhere', subheading: 'WireGuard for every device.' }

const Content = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  examples: [heroContent],
})

export const SectionInput = StrictObject({
  id: Type.Optional(Type.String({ format: 'uuid', description: 'Created when absent.', examples: [sectionId] })),
  type: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_.:-]{0,63}$',
    description: `Known types and the rules for their content: ${sectionTypesText}. Other types are stored as sent, and the answer lists them in \`warnings\`; a name that is almost a known type is refused.`,
    examples: ['hero'],
  }),
  content: Type.Optional(Content),
  order: Type.Optional(
    Type.Integer({
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: 'Any numbers; answers count from 0. Default: the position in the array.',
      examples: [0],
    }),
  ),
})

const metaMembers = {
  title: Type.String({ maxLength: 300, examples: ['Vault VPN for teams'] }),
  description: Type.String({ maxLength: 1000, examples: ['A VPN that your customers start with one click.'] }),
  ogImage: Type.String({
    maxLength: 2000,
    description: 'An address or the id of an uploaded file.',
    examples: ['/media/0193b6a0-7f3a-7c66-9f51-4d8b2eaf3c79/cover.png'],
  }),
  canonical: Type.String({ maxLength: 2000, examples: ['https://example.com/'] }),
  noindex: Type.Boolean({ examples: [false] }),
}
const Keywords = Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['vpn'] }), { maxItems: 50 })

export const Meta = Type.Partial(StrictObject({ ...metaMembers, keywords: Keywords }), { additionalProperties: false })

const NullableKeywords = Type.Unsafe<string[] | null>({ ...Keywords, type: ['array', 'null'] })
const MetaInput = StrictObject(
  {
    title: Type.Optional(Nullable(metaMembers.title)),
    description: Type.Optional(Nullable(metaMembers.description)),
    ogImage: Type.Optional(Nullable(metaMembers.ogImage)),
    canonical: Type.Optional(Nullable(metaMembers.canonical)),
    noindex: Type.Optional(Nullable(metaMembers.noindex)),
    keywords: Type.Optional(NullableKeywords),
  },
  { description: 'Absent members are kept; null clears a member.' },
)

const Slug = Type.String({
  minLength: 1,
  maxLength: slugLengthMax,
  pattern: slugPattern,
  description: 'Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique.',
  examples: ['home'],
})
const Title = Type.String({ minLength: 1, maxLength: 300, examples: ['Home'] })
const Sections = Type.Array(SectionInput, { maxItems: 200 })
const Template = Nullable(
  Type.String({ maxLength: 100, examples: ['landing'] }),
  'A word for the client, for example which layout to use.',
)
const Locale = Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, examples: ['en'] })
const Note = Type.String({
  maxLength: 500,
  description: 'The reason for the change, shown in the revisions.',
  examples: ['New headline'],
})
const Status = StringEnum(pageStatuses, { description: 'Only a PUBLISHED page is public.' })
const publishAtText = 'When the page or its draft will be published automatically; null for never.'
const unpublishAtText = 'When the page will be unpublished automatically; null for never.'

const members = {
  title: Type.Optional(Title),
  sections: Type.Optional(Sections),
  meta: Type.Optional(MetaInput),
  template: Type.Optional(Template),
  locale: Type.Optional(Locale),
  status: Type.Optional(Status),
  publishAt: Type.Optional(Nullable(TimestampInput, publishAtText)),
  unpublishAt: Type.Optional(Nullable(TimestampInput, unpublishAtText)),
  note: Type.Optional(Note),
}

export const NewPage = StrictObject({ slug: Slug, ...members, title: Title })
export type NewPage = Static<typeof NewPage>

export const PageChange = StrictObject({ slug: Type.Optional(Slug), ...members })
export type PageChange = Static<typeof PageChange>

export const Publishing = StrictObject({
  publishAt: Type.Optional(Nullable(TimestampInput, 'A time in the future to publish at. Null or absent: now.')),
  unpublishAt: members.unpublishAt,
  note: members.note,
})
export type Publishing = Static<typeof Publishing>

export const NoteBody = StrictObject({ note: members.note })

const SectionAnswer = Type.Object(
  { id: Id, type: Type.String({ examples: ['hero'] }), content: Content, order: Type.Integer({ examples: [0] }) },
  { title: 'PageSection' },
)

const copyMembers = {
  title: Title,
  sections: Type.Array(SectionAnswer),
  meta: Meta,
  template: Template,
  locale: Locale,
}
export const Copy = Type.Object(copyMembers, { title: 'PageCopy' })

const listed = { id: Id, slug: Slug, title: Title, meta: Meta }
const publishedAt = Nullable(Timestamp, 'When it was last published.')
const standing = {
  status: Status,
  publishAt: Nullable(Timestamp, publishAtText),
  publishedAt,
  revision: Type.Integer({ description: 'Increases with each change.', examples: [3] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

const Products = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'With `resolve=products`: the products that sections show, by slug. DRAFT products are left out.',
  examples: [{}],
})

export const PublicPage = Type.Object(
  {
    ...listed,
    ...copyMembers,
    ...standing,
    publishAt: Nullable(Timestamp, 'Always null: only administrators see schedules.'),
    products: Type.Optional(Products),
  },
  { title: 'PublicPage' },
)
export type PublicPage = Static<typeof PublicPage>

const adminMembers = {
  unpublishAt: Nullable(Timestamp, unpublishAtText),
  hasDraft: Type.Boolean({ examples: [false] }),
}
const draft = Type.Unsafe<Static<typeof Copy> | null>({
  anyOf: [Copy, { type: 'null' }],
  description: 'The next version to publish; null if there is no draft.',
})

export const PageAnswer = Type.Object(
  { ...listed, ...copyMembers, ...standing, ...adminMembers, draft },
  { title: 'Page' },
)
export type PageAnswer = Static<typeof PageAnswer>

const PageLine = Type.Object(
  { ...listed, template: Template, locale: Locale, ...standing, ...adminMembers },
  { title: 'PageLine' },
)
export type PageLine = Static<typeof PageLine>

const PublicLine = Type.Object(
  { ...listed, publishedAt, updatedAt: Timestamp, sections: Type.Optional(Type.Array(SectionAnswer)) },
  { title: 'PublicPageLine' },
)

export const PublicPageList = StrictObject({ pages: Type.Array(PublicLine), pagination: PaginationSchema })
export const PublicPageDetail = StrictObject({ page: PublicPage })
export const MovedPage = StrictObject({ movedTo: Slug })
export const PageList = StrictObject({ pages: Type.Array(PageLine), pagination: PaginationSchema })
const Warning = Type.Object(
  {
    path: Type.String({ description: 'JSON pointer into this answer.', examples: ['/page/sections/0/type'] }),
    code: Type.String({ examples: ['unknown'] }),
    message: Type.String({ examples: ['is not a known section type, so its content was stored without checks.'] }),
  },
  { title: 'Warning' },
)
export const PageDetail = StrictObject({
  page: PageAnswer,
  warnings: Type.Array(Warning, { description: 'What is allowed, but may be a mistake.' }),
})

export const PublicListQuery = StrictObject({
  ...PageQuery,
  full: Type.Optional(Type.Boolean({ default: false, description: 'Include the sections of each page.' })),
})
export const PublicPageQuery = StrictObject({
  resolve: Type.Optional(StringEnum(['products'], { description: 'Include the products that sections show.' })),
  preview: Type.Optional(
    Type.String({
      description: 'The token of a preview link.',
      examples: ['mi97kw2o.0e3qY0m0Vv1r6nq3kqTzqk2mYb0xT5l1o8u4dJm7cWs'],
    }),
  ),
})
export const PageListQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(Status),
  template: Type.Optional(Type.String({ maxLength: 100, examples: ['landing'] })),
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text to find in the slug or title.', examples: ['home'] }),
  ),
})
export const DraftQuery = StrictObject({
  draft: Type.Optional(
    Type.Boolean({ default: false, description: 'Change the draft instead of the page. The public does not see it.' }),
  ),
})

export const PreviewRequest = StrictObject({
  expiresInSeconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 7 * 24 * 3600, default: 3600, examples: [3600] }),
  ),
})
export const PreviewAnswer = StrictObject({
  url: Type.String({
    format: 'uri-reference',
    examples: ['/cms/pages/home?preview=mi97kw2o.0e3qY0m0Vv1r6nq3kqTzqk2mYb0xT5l1o8u4dJm7cWs'],
  }),
  expiresAt: Timestamp,
})
