import { FormatQuery } from '../../http/csv-answer.ts'
import { Day, Nullable, PeriodQuery, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const Usage = {
  apiCalls: count('Answered requests with keys and users of the tenant, except answers with 429 or 5xx.', 5120),
  validations: count('License validations with any result.', 840),
  connections: count('Started VPN sessions.', 37),
  connectionMinutes: count('Total length of the VPN sessions that ended on the day, in whole minutes.', 1290),
  bytesUp: count('Bytes from devices to the VPN. Zero until VPN nodes report them.', 0),
  bytesDown: count('Bytes from the VPN to devices. Zero until VPN nodes report them.', 0),
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
        product: Nullable(
          Type.String({ examples: ['vault-vpn'] }),
          'Null where the usage belongs to no single product.',
        ),
        ...Usage,
      },
      { title: 'TenantUsage', additionalProperties: false },
    ),
    { description: 'By day and product. Days without usage are left out.' },
  ),
  totals: Type.Object(Usage, {
    title: 'TenantUsageTotals',
    additionalProperties: false,
    description: 'Totals. A device or user counts once for each day and product.',
  }),
})
