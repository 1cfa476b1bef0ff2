import { StringEnum } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { raw } from './answer.ts'
import { preferred } from './negotiation.ts'

export const csv = 'text/csv'
export const Format = Type.Optional(StringEnum(['json', 'csv'], { description: 'Wins over `Accept`.' }))

/** Whether what may come as JSON or as a file is wanted as a file. */
export function isCsv(format: 'json' | 'csv' | undefined, accept: string | undefined): boolean {
  return (format ?? (preferred(accept, ['application/json', csv]) === csv ? 'csv' : 'json')) === 'csv'
}

/** A file of lines, the first of which names the columns. */
export function csvAnswer<Body extends Parameters<typeof raw>[1]>(body: Body, name: string) {
  return raw(`${csv}; charset=utf-8; header=present`, body, {
    'content-disposition': `attachment; filename="${name}.csv"`,
    vary: 'Accept',
  })
}
