import type { Static } from 'typebox'
import { formerSlugsDescription } from '../../kernel/bundle.ts'
import { Nullable, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Meta, NewPage, SectionInput } from './page.schema.ts'

const { slug, title, template, locale, status, sections } = NewPage.properties
const { type, content } = SectionInput.properties

const copy = {
  title,
  template,
  locale,
  meta: Type.Optional(Meta),
  sections: Type.Optional(
    Type.Array(StrictObject({ type, content }), {
      ...{ maxItems: (sections as unknown as { maxItems: number }).maxItems },
      description:
        'In order, without the `html` that is rendered from Markdown. Instead of the id of an uploaded file, a section or ' +
        '`meta.ogImage` has `sha256:` with the SHA-256 of its content.',
    }),
  ),
}

/** A page of a bundle. */
export const PageRecord = Type.Object(
  {
    slug,
    status,
    ...copy,
    draft: Type.Optional(Nullable(StrictObject(copy), 'The next version to publish; null if there is no draft.')),
    formerSlugs: Type.Optional(Type.Array(slug, { description: formerSlugsDescription })),
  },
  { title: 'PageRecord', additionalProperties: false },
)
export type PageRecord = Static<typeof PageRecord>
