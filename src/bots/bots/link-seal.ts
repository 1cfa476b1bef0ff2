import type { SealedColumn } from '../../storage/sealed-column.ts'

type Owner = { tenantId: string; id: string }

/** The whole link of a bot, which may contain a passcode. */
export const sealedBotLinks: SealedColumn = {
  table: 'bots',
  column: 'link_sealed',
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => linkContext({ tenantId, id }),
}

export function linkContext({ tenantId, id }: Owner): string {
  return `bots:${tenantId}:${id}`
}
