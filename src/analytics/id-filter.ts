import { isId } from '../kernel/ids.ts'
import { Type } from '../kernel/type.ts'

export const IdText = Type.String({ maxLength: 64, examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] })

/** What no row has. */
const unknownId = '00000000-0000-7000-8000-000000000000'

/** The id to filter by; null without one. A malformed id finds nothing, like an unknown one. */
export function idFilter(text: string | undefined): string | null {
  if (text === undefined) return null
  return isId(text) ? text : unknownId
}
