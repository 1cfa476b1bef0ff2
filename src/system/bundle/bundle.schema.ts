import type { TSchema } from 'typebox'
import type { BundlePart } from '../../kernel/bundle.ts'
import { StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'

export const bundleFormat = 'atrium.bundle'
export const bundleVersion = 1

export type Part = BundlePart<PlatformScope>

const head = {
  format: StringEnum([bundleFormat]),
  version: Type.Integer({ enum: [bundleVersion], examples: [bundleVersion] }),
}

/** A bundle in an import; `exportedAt` is ignored. */
export function importSchema(parts: Part[]) {
  return Type.Object(
    { ...head, exportedAt: Type.Optional(Timestamp), parts: StrictObject(partMembers(parts, Type.Optional)) },
    { additionalProperties: false },
  )
}

/** A bundle in an export. */
export function exportSchema(parts: Part[]) {
  return Type.Object(
    { ...head, exportedAt: Timestamp, parts: StrictObject(partMembers(parts, (schema) => schema)) },
    { title: 'Bundle' },
  )
}

function partMembers(parts: Part[], wrap: (schema: TSchema) => TSchema): Record<string, TSchema> {
  return Object.fromEntries(parts.map(({ name, record }) => [name, wrap(Type.Array(record))]))
}

export const ImportQuery = StrictObject({
  dryRun: Type.Optional(
    Type.Boolean({ default: true, description: 'Reports the changes without making them.', examples: [true] }),
  ),
  mode: Type.Optional({
    ...StringEnum(['merge', 'mirror'], {
      description: '`merge` keeps records that a part of the bundle does not contain; `mirror` removes them.',
    }),
    default: 'merge',
  } as ReturnType<typeof StringEnum<['merge', 'mirror']>>),
})

const Count = Type.Integer({ minimum: 0, examples: [1] })

export const ImportAnswer = StrictObject({
  dryRun: Type.Boolean({ examples: [true] }),
  mode: StringEnum(['merge', 'mirror']),
  changes: Type.Array(
    StrictObject({
      part: Type.String({ examples: ['slots'] }),
      key: Type.String({ description: 'The key of the record in its part.', examples: ['welcome'] }),
      action: StringEnum(['create', 'update', 'keep', 'remove']),
      fields: Type.Array(Type.String({ examples: ['title'] }), {
        description: 'The fields that an update changes.',
        examples: [[]],
      }),
    }),
  ),
  counts: StrictObject({ create: Count, update: Count, keep: Count, remove: Count }),
})
