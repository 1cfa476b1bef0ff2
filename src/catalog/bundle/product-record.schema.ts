import type { Static, TSchema } from 'typebox'
import { FileRecord, formerSlugsDescription } from '../../kernel/bundle.ts'
import { Nullable, Slug, StrictObject, TimestampInput } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { NewDoc, NewSection } from '../docs/doc.schema.ts'
import { NewDownload } from '../downloads/download.schema.ts'
import { NewFeature } from '../features/feature.schema.ts'
import { NewPlan } from '../plans/plan.schema.ts'
import { orderedChildrenMax } from '../product-child/product-child.rules.ts'
import { NewProductMedia } from '../product-media/product-media.schema.ts'
import { NewProduct, Seo } from '../products/product-admin.schema.ts'
import { NewVersion, VersionChange } from '../versions/version.schema.ts'

const File = Type.Optional(Nullable(FileRecord, 'An uploaded file, identified by the SHA-256 of its content.'))
const SlugOf = (what: string) => Type.Optional(Nullable(Slug, `The slug of ${what}; null: none.`))

const { order: _featureOrder, ...feature } = NewFeature.properties
const { order: _planOrder, ...plan } = NewPlan.properties
const { order: _mediaOrder, mediaId: _, posterMediaId: __, ...picture } = NewProductMedia.properties
const { parentId: _parent, ...section } = NewSection.properties
const { sectionId: _section, ...doc } = NewDoc.properties
const { versionId: _version, mediaId: _file, ...download } = NewDownload.properties
const { iconMediaId: _icon, coverMediaId: _cover, seo: _seo, ...product } = NewProduct.properties
const { imageId: _image, ...seo } = Seo.properties

const Features = StrictObject({ ...feature, slug: Slug })
const Plans = StrictObject(plan)
const Pictures = StrictObject({ ...picture, media: File, posterMedia: File })
const Sections = StrictObject({ ...section, parent: SlugOf('the section that contains it') })
const Docs = StrictObject({ ...doc, section: SlugOf('its section') })
const Versions = StrictObject({
  ...NewVersion.properties,
  releasedAt: TimestampInput,
  yanked: VersionChange.properties.yanked,
  yankReason: VersionChange.properties.yankReason,
})
const Downloads = StrictObject({
  ...download,
  version: Type.Optional(Nullable(NewVersion.properties.version, 'The version it belongs to, or null.')),
  media: File,
})

function list<T extends TSchema>(items: T, description: string, options: object = {}) {
  return Type.Optional(Type.Array(items, { description, ...options }))
}

/** A product of a bundle with everything that belongs to it. An absent list stays as it is. */
export const ProductRecord = Type.Object(
  {
    ...product,
    iconMedia: File,
    coverMedia: File,
    seo: Type.Optional(Nullable(StrictObject({ ...seo, image: File }))),
    sunsetAt: Type.Optional(Nullable(TimestampInput, 'When a DEPRECATED product ends. May be in the past.')),
    replacedBy: SlugOf('the product that replaces a DEPRECATED one'),
    formerSlugs: list(Slug, formerSlugsDescription),
    features: list(Features, 'In display order.', { maxItems: orderedChildrenMax }),
    plans: list(Plans, 'In display order.', { maxItems: orderedChildrenMax }),
    media: list(Pictures, 'In display order.', { maxItems: orderedChildrenMax }),
    docSections: list(Sections, 'With equal `order`, the earlier one comes first.'),
    docs: list(Docs, 'With equal `order`, the earlier one comes first.'),
    versions: list(Versions, 'Newest first.'),
    downloads: list(Downloads, 'With equal `order`, the earlier one comes first.'),
  },
  { title: 'ProductRecord', additionalProperties: false },
)
export type ProductRecord = Static<typeof ProductRecord>
