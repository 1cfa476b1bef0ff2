import { FormatQuery } from '../../http/csv-answer.ts'
import { Day, Nullable, PeriodQuery, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const Usage = {
  apiCalls: count(
    'Requests with the tenant’s keys and users that were answered; not those refused with 429 or failed with 5xx.',
    5120,
  ),
  validations: count('License validations, whatever they said.', 840),
  connections: count('VPN sessions that were started.', 37),
  connectionMinutes: count('Length of the VPN sessions that ended on the day, whole minutes.', 1290),
  bytesUp: count('From devices to the VPN. Zero until VPN nodes report it.', 0),
  bytesDown: count('From the VPN to devices. Zero until VPN nodes report it.', 0),
  activeDevices: count('Devices that started a VPN session.', 21),
  activeUsers: count('Users who made a request.', 18),
}

export const TenantUsageQuery = StrictObject({ ...PeriodQuery, format: FormatQuery })
export const TenantUsageAnswer = StrictObject({
  from: Day,
  to: Day,
  usage: Type.Array(
    Type.Object(
      {
        day: Day,
        product: Nullable(Type.String({ examples: ['vault-vpn'] }), 'Null: of no single product.'),
        ...Usage,
      },
      { title: 'TenantUsage', additionalProperties: false },
    ),
    { description: 'By day and product; days without use are left out.' },
  ),
  totals: Type.Object(Usage, {
    title: 'TenantUsageTotals',
    additionalProperties: false,
    description: 'Sums. A device or user counts once for each day and product.',
  }),
})
