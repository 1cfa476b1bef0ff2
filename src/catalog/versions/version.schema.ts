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
import { channels } from './version.rules.ts'

const Version = Type.String({
  maxLength: 128,
  description: 'A semantic version (semver.org). Unique in the product.',
  examples: ['1.4.0-beta.2'],
})
const Channel = StringEnum(channels, {
  description:
    'If absent: stable for a release, nightly for a prerelease named nightly, dev, canary or snapshot, beta for other prereleases.',
})
const Notes = Nullable(Type.String({ maxLength: 20_000, examples: ['- Faster start'] }), 'Markdown.')
const Breaking = Type.Boolean({ examples: [false] })
const Requirements = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 100 },
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9 ._-]{0,39}$' },
  maxProperties: 20,
  description: 'Minimum requirements by name.',
  examples: [{ macos: '13', node: '>=22' }],
})
const YankReason = Nullable(Type.String({ maxLength: 500, examples: ['Loses settings.'] }), 'Why it was yanked.')

const change = {
  version: Type.Optional(Version),
  channel: Type.Optional(Channel),
  releasedAt: Type.Optional(TimestampInput),
  notes: Type.Optional(Notes),
  breaking: Type.Optional(Breaking),
  minRequirements: Type.Optional(Requirements),
}
export const NewVersion = StrictObject({ ...change, version: Version })
export type NewVersion = Static<typeof NewVersion>
export const VersionChange = StrictObject({
  ...change,
  yanked: Type.Optional(
    Type.Boolean({
      description: 'true withdraws the version: it is never the latest, and its downloads answer 404.',
      examples: [true],
    }),
  ),
  yankReason: Type.Optional(YankReason),
})
export type VersionChange = Static<typeof VersionChange>

const shown = {
  id: Id,
  version: Version,
  channel: Channel,
  isLatest: Type.Boolean({
    description: 'Whether it is the newest of its channel that is not yanked.',
    examples: [true],
  }),
  releasedAt: Timestamp,
  notes: Notes,
  notesHtml: Nullable(
    Type.String({ examples: ['<ul>\n<li>Faster start</li>\n</ul>\n'] }),
    'The notes as sanitized HTML.',
  ),
  breaking: Breaking,
  minRequirements: Requirements,
  yankedAt: Nullable(Timestamp, 'null: not yanked.'),
  yankReason: YankReason,
}
export const PublicVersion = Type.Object(shown, { title: 'ProductVersion' })
export type PublicVersion = Static<typeof PublicVersion>
export const VersionView = Type.Object(
  {
    ...shown,
    productId: Id,
    revision: Type.Integer({ description: 'Increases with each change.', examples: [1] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'AdminProductVersion' },
)

export const VersionQuery = StrictObject({ ...PageQuery, channel: Type.Optional(Channel) })
export const VersionList = StrictObject({ versions: Type.Array(PublicVersion), pagination: PaginationSchema })
