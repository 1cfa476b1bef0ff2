import type { MediaLibrary } from '../content/index.ts'
import { type FieldRule, ruleFor } from '../kernel/field-rules.ts'
import { invalidField } from '../kernel/refusal.ts'
import type { Scope } from '../storage/scope.ts'

/** The rule that a member names an uploaded file. */
export function fileRule(
  scope: Scope,
  media: Pick<MediaLibrary, 'find'>,
  { path, id }: { path: string; id: string | null | undefined },
): FieldRule {
  return ruleFor(id, async (named) => {
    if (!(await media.find(scope, [named])).has(named))
      throw invalidField(path, { code: 'media', message: 'is not the id of an uploaded file' })
  })
}
