import type { Static } from 'typebox'
import { Id, Nullable, SingleLine, Slug, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { markupLengthMax } from '../../text/markup.ts'
import { docStatuses } from './doc.rules.ts'

const DocSlug = {
  ...Slug,
  description: 'Lower-case letters, digits and single hyphens. Unique in the product.',
  examples: ['quickstart'],
}
const Title = SingleLine({ lettersMax: 200, example: 'Quickstart' })
const Order = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Smaller comes first; 100 if absent.',
  examples: [100],
})
const ParentId = Nullable(Id, 'The section that contains this one. null: a top-level section.')
const SectionId = Nullable(Id, 'null: the doc comes before all sections.')
const Summary = Nullable(
  Type.String({ maxLength: 500, examples: ['A license key, a call, an answer.'] }),
  'Plain text for lists.',
)
const Markdown = Type.String({
  maxLength: markupLengthMax,
  description: 'CommonMark with tables and strikethrough. HTML in it is shown as text.',
  examples: ['# Quickstart\n\nSend a key.'],
})
const Status = StringEnum(docStatuses, { description: 'A DRAFT is not public.' })
const Seo = StrictObject({
  title: Type.Optional(Nullable(Type.String({ maxLength: 200, examples: ['Quickstart'] }))),
  description: Type.Optional(Nullable(Type.String({ maxLength: 500, examples: ['The first call.'] }))),
  noindex: Type.Optional(Type.Boolean({ examples: [false] })),
})

const sectionChange = {
  slug: Type.Optional(DocSlug),
  title: Type.Optional(Title),
  order: Type.Optional(Order),
  parentId: Type.Optional(ParentId),
}
export const NewSection = StrictObject({ ...sectionChange, slug: DocSlug, title: Title })
export type NewSection = Static<typeof NewSection>
export const SectionChange = StrictObject(sectionChange)
export type SectionChange = Static<typeof SectionChange>

const docChange = {
  slug: Type.Optional(DocSlug),
  title: Type.Optional(Title),
  markdown: Type.Optional(Markdown),
  summary: Type.Optional(Summary),
  sectionId: Type.Optional(SectionId),
  order: Type.Optional(Order),
  status: Type.Optional(Status),
  seo: Type.Optional(Seo),
}
export const NewDoc = StrictObject({ ...docChange, slug: DocSlug, title: Title, markdown: Markdown })
export type NewDoc = Static<typeof NewDoc>
export const DocChange = StrictObject(docChange)
export type DocChange = Static<typeof DocChange>

const revised = {
  revision: Type.Integer({ description: 'Increases with each change.', examples: [1] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const SectionView = Type.Object(
  { id: Id, productId: Id, slug: DocSlug, title: Title, order: Order, parentId: ParentId, ...revised },
  { title: 'DocSection' },
)
export type SectionView = Static<typeof SectionView>

const line = {
  id: Id,
  productId: Id,
  sectionId: SectionId,
  slug: DocSlug,
  title: Title,
  summary: Summary,
  order: Order,
  status: Status,
  seo: Type.Object({
    title: Nullable(Type.String({ examples: ['Quickstart'] })),
    description: Nullable(Type.String({ examples: ['The first call.'] })),
    noindex: Type.Boolean({ examples: [false] }),
  }),
  wordCount: Type.Integer({ examples: [420] }),
  publishedAt: Nullable(Timestamp, 'When it was first published. null: never.'),
  editedBy: Type.String({ description: 'Who changed it last.', examples: ['Ana, support'] }),
  ...revised,
}
const Html = Type.String({
  description: 'The Markdown as sanitized HTML, safe to embed in any page.',
  examples: ['<h1 id="c-quickstart">Quickstart</h1>\n<p>Send a key.</p>\n'],
})
const Toc = Type.Array(
  Type.Object({
    id: Type.String({ description: 'The heading’s `id` in the HTML.', examples: ['c-quickstart'] }),
    text: Type.String({ examples: ['Quickstart'] }),
    level: Type.Integer({ examples: [1] }),
  }),
)
export const DocLineView = Type.Object(line, { title: 'ProductDocLine' })
export const DocWholeView = Type.Object({ ...line, markdown: Markdown, html: Html, toc: Toc }, { title: 'ProductDoc' })

// Answers to the public.

const PublicLine = {
  slug: DocSlug,
  title: Title,
  summary: Summary,
  order: Order,
  updatedAt: Timestamp,
}
const SectionRef = { slug: Type.String({ examples: ['licenses'] }), title: Type.String({ examples: ['Licenses'] }) }
const Neighbour = (example: string, description: string) =>
  Type.Unsafe<{ slug: string; title: string } | null>({
    type: ['object', 'null'],
    properties: { slug: { type: 'string', examples: [example] }, title: { type: 'string', examples: ['Licenses'] } },
    required: ['slug', 'title'],
    description,
  })

export const DocsQuery = StrictObject({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Searches for words, `"phrases"`, `or` and `-not`. The last word may be incomplete. Adds `results` to the answer.',
      examples: ['validate license'],
    }),
  ),
})

export const DocsAnswer = StrictObject({
  product: StrictObject({
    slug: Type.String({ examples: ['vault-vpn'] }),
    name: Type.String({ examples: ['Vault VPN'] }),
  }),
  sections: Type.Array(
    StrictObject({
      ...SectionRef,
      order: Order,
      parent: Nullable(Type.String({ examples: [null] }), 'The slug of the section that contains it.'),
      docs: Type.Array(StrictObject(PublicLine)),
    }),
  ),
  docs: Type.Array(
    StrictObject({
      ...PublicLine,
      section: Nullable(Type.String({ examples: ['licenses'] }), 'The slug of its section.'),
    }),
    { description: 'All docs in reading order.' },
  ),
  results: Type.Optional(
    Type.Array(
      StrictObject({
        slug: DocSlug,
        title: Title,
        snippet: Type.String({
          description: 'HTML: escaped text with `<mark>` around the words found, and no other tags.',
          examples: ['A <mark>license</mark> key is validated by one call.'],
        }),
        anchor: Nullable(Type.String({ examples: ['c-validate'] }), 'The heading above it. null: there is none.'),
        score: Type.Number({ description: 'Larger is better. Comparable only within one answer.', examples: [0.6079] }),
      }),
      { description: 'At most 20, best first; only with `q`.' },
    ),
  ),
})

export const DocAnswer = StrictObject({
  doc: StrictObject({
    slug: DocSlug,
    title: Title,
    summary: Summary,
    section: Type.Unsafe<{ slug: string; title: string } | null>({
      type: ['object', 'null'],
      properties: SectionRef,
      required: ['slug', 'title'],
      description: 'null: the doc comes before all sections.',
    }),
    markdown: Markdown,
    html: Html,
    toc: Toc,
    prev: Neighbour('quickstart', 'The previous doc. null: this is the first.'),
    next: Neighbour('devices', 'The next doc. null: this is the last.'),
    readingMinutes: Type.Integer({ description: 'At 200 words a minute, at least 1.', examples: [3] }),
    seo: line.seo,
    updatedAt: Timestamp,
  }),
})
