import { StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

/** A line to publish in the zone of a domain. */
export type DnsRecord = { type: 'TXT' | 'MX'; name: string; value: string }

export const DnsRecordSchema = StrictObject({
  type: StringEnum(['TXT', 'MX']),
  name: Type.String({ examples: ['_atrium.example.com'] }),
  value: Type.String({ examples: ['atrium-verification=9f86d081884c7d659a2feaa0c55ad015'] }),
})
