import { Id, Nullable, StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'

/** Who wrote or changed something. */
export const Person = StrictObject({ userId: Id, name: Nullable(Type.String({ examples: ['Ada Lovelace'] })) })
