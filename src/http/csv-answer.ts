import { StringEnum } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { raw } from './answer.ts'
import { preferredMediaType } from './negotiation.ts'

export const csvMediaType = 'text/csv'
export const FormatQuery = Type.Optional(StringEnum(['json', 'csv'], { description: 'Wins over `Accept`.' }))

/** Whether the client wants CSV rather than JSON. */
export function wantsCsv(format: 'json' | 'csv' | undefined, accept: string | undefined): boolean {
  return (
    (format ?? (preferredMediaType(accept, ['application/json', csvMediaType]) === csvMediaType ? 'csv' : 'json')) ===
    'csv'
  )
}

/** A CSV download with a header line. */
export function csvAnswer<Body extends Parameters<typeof raw>[1]>(body: Body, name: string) {
  return raw(`${csvMediaType}; charset=utf-8; header=present`, body, {
    'content-disposition': `attachment; filename="${name}.csv"`,
    vary: 'Accept',
  })
}
