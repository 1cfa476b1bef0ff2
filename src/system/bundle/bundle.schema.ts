import type { TSchema } from 'typebox'
import type { BundlePart } from '../../kernel/bundle.ts'
import { Closed, Timestamp, Words } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'

export const bundleFormat = 'atrium.bundle'
export const bundleVersion = 1

export type Part = BundlePart<PlatformScope>

const head = {
  format: Words([bundleFormat]),
  version: Type.Integer({ enum: [bundleVersion], examples: [bundleVersion] }),
}

/** A bundle as it is sent: the moment it was made says nothing to whoever reads it. */
export function bundleOf(parts: Part[]) {
  return Type.Object(
    { ...head, exportedAt: Type.Optional(Timestamp), parts: Closed(membersOf(parts, Type.Optional)) },
    { additionalProperties: false },
  )
}

/** A bundle as it is given. */
export function exportOf(parts: Part[]) {
  return Type.Object(
    { ...head, exportedAt: Timestamp, parts: Closed(membersOf(parts, (schema) => schema)) },
    { title: 'Bundle' },
  )
}

function membersOf(parts: Part[], wrap: (schema: TSchema) => TSchema): Record<string, TSchema> {
  return Object.fromEntries(parts.map(({ name, record }) => [name, wrap(Type.Array(record))]))
}

export const ImportQuery = Closed({
  dryRun: Type.Optional(
    Type.Boolean({ default: true, description: 'Says what would change, and changes nothing.', examples: [true] }),
  ),
  mode: Type.Optional({
    ...Words(['merge', 'mirror'], {
      description: 'mirror also removes what a part of the bundle lacks; merge keeps it.',
    }),
    default: 'merge',
  } as ReturnType<typeof Words<['merge', 'mirror']>>),
})

const Count = Type.Integer({ minimum: 0, examples: [1] })

export const ImportAnswer = Closed({
  dryRun: Type.Boolean({ examples: [true] }),
  mode: Words(['merge', 'mirror']),
  changes: Type.Array(
    Closed({
      part: Type.String({ examples: ['slots'] }),
      key: Type.String({ description: 'What names the record in its part.', examples: ['welcome'] }),
      action: Words(['create', 'update', 'keep', 'remove']),
      fields: Type.Array(Type.String({ examples: ['title'] }), {
        description: 'What differs, of an update.',
        examples: [[]],
      }),
    }),
  ),
  counts: Closed({ create: Count, update: Count, keep: Count, remove: Count }),
})
