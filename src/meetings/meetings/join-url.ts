import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { Secrets } from '../../storage/secrets.ts'

type Owner = { tenantId: string; id: string }

/** Seals the whole address of a meeting, which may contain its passcode. */
export function joinUrlSeal(secrets: Secrets) {
  return {
    seal: (url: string, owner: Owner) => secrets.seal(url, sealContext(owner)),
    open: (sealed: Buffer, owner: Owner) => secrets.open(sealed, sealContext(owner)),
  }
}

export const sealedJoinUrls: SealedColumn = {
  table: 'meetings',
  column: 'join_url_sealed',
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => sealContext({ tenantId, id }),
}

function sealContext({ tenantId, id }: Owner): string {
  return `meetings:${tenantId}:${id}`
}
