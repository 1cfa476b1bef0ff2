import type { TObject } from 'typebox'
import { Type } from '../../kernel/type.ts'

/** The rules for the content of a known type. Other members are kept. */
export type SectionType = {
  content: TObject
  /** At least one of these is required. */
  oneOf?: readonly string[]
}

const line = Type.Optional(Type.String({ maxLength: 500 }))
const requiredLine = Type.String({ minLength: 1, maxLength: 500 })
const text = Type.Optional(Type.String({ maxLength: 20_000 }))
const requiredText = Type.String({ minLength: 1, maxLength: 20_000 })
const link = Type.Optional(Type.String({ maxLength: 2000 }))
const media = Type.Optional(Type.String({ format: 'uuid' }))
const flag = Type.Optional(Type.Boolean())
const slug = Type.String({ minLength: 1, maxLength: 64 })

const Picture = Type.Object({ mediaId: media, url: link, alt: line, caption: line })
const picture = Type.Optional(Picture)
const ctas = Type.Optional(
  Type.Array(Type.Object({ label: requiredLine, href: Type.String({ minLength: 1, maxLength: 2000 }), style: line }), {
    maxItems: 10,
  }),
)

function items(members: Parameters<typeof Type.Object>[0]) {
  return Type.Array(Type.Object(members), { minItems: 1, maxItems: 100 })
}

/** The known section types. Pages may use other types; their content is not checked. */
export const sectionTypes: Record<string, SectionType> = {
  hero: {
    content: Type.Object({
      heading: requiredLine,
      subheading: text,
      eyebrow: line,
      image: picture,
      video: Type.Optional(Type.Object({ mediaId: media, url: link })),
      ctas,
      align: line,
    }),
  },
  features: {
    content: Type.Object({
      heading: line,
      items: items({ title: requiredLine, text, icon: line, href: link }),
      columns: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
    }),
  },
  rich_text: { content: Type.Object({ markdown: Type.String({ minLength: 1, maxLength: 150_000 }) }) },
  image: { content: Type.Object({ mediaId: media, url: link, alt: line, caption: text }), oneOf: ['mediaId', 'url'] },
  gallery: { content: Type.Object({ heading: line, items: Type.Array(Picture, { minItems: 1, maxItems: 100 }) }) },
  video: {
    content: Type.Object({ mediaId: media, url: link, poster: picture, captionsMediaId: media, caption: text }),
    oneOf: ['mediaId', 'url'],
  },
  cta: { content: Type.Object({ heading: requiredLine, text, ctas, tone: line }) },
  banner: { content: Type.Object({ heading: line, text: requiredText, ctas, tone: line, dismissible: flag }) },
  pricing: {
    content: Type.Object({
      heading: line,
      productSlug: Type.Optional(slug),
      plans: Type.Optional(items({ name: requiredLine })),
    }),
    oneOf: ['productSlug', 'plans'],
  },
  product_grid: {
    content: Type.Object({ heading: line, slugs: Type.Array(slug, { minItems: 1, maxItems: 50 }) }),
  },
  faq: {
    content: Type.Object({ heading: line, items: items({ question: requiredLine, answer: requiredText }) }),
  },
  testimonials: {
    content: Type.Object({
      heading: line,
      items: items({ quote: requiredText, author: requiredLine, role: line, image: picture }),
    }),
  },
  stats: {
    content: Type.Object({
      heading: line,
      items: items({ label: requiredLine, value: Type.Unsafe<string | number>({ type: ['string', 'number'] }) }),
    }),
  },
  logos: {
    content: Type.Object({
      heading: line,
      items: items({ name: requiredLine, mediaId: media, url: link, href: link }),
    }),
  },
  steps: { content: Type.Object({ heading: line, items: items({ title: requiredLine, text }) }) },
  code: {
    content: Type.Object({
      code: Type.String({ minLength: 1, maxLength: 100_000 }),
      language: line,
      title: line,
    }),
  },
  // May be empty: editors send back content that cleaning removed entirely.
  html: { content: Type.Object({ html: Type.String({ maxLength: 150_000 }) }) },
}

/** The types as a text for the API reference, made from the table. */
export const sectionTypesText = Object.entries(sectionTypes)
  .map(([name, { content, oneOf }]) => {
    const required = (content as { required?: string[] }).required ?? []
    const asked = [...required, ...(oneOf ? [oneOf.join(' or ')] : [])]
    return `\`${name}\` (${asked.join(', ')})`
  })
  .join(', ')
