import type { HandleMailReport } from '../../inbound/index.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { isAddress } from '../configs/config-validation.ts'
import { readRecipient } from '../receiving/recipient-name.ts'
import { tokenOfMessageId } from '../receiving/thread-lookup.service.ts'
import { findOutgoingByToken, recordBounced } from '../sending/sending.store.ts'
import type { Suppressions } from '../suppressions/suppression.service.ts'

type Deps = {
  events: EventBus
  tokens: Tokens
  domain: string | null
  suppressions: Pick<Suppressions, 'hold' | 'recordBounce'>
}

/**
 * A mail service reports a bounce or a complaint. The webhook has checked that it is the tenant's own service, so its word counts
 * for the addresses that it names. Which mail it was, only a token of ours tells.
 */
export function mailReportHandler({ events, tokens, domain, suppressions }: Deps): HandleMailReport {
  async function findMail(tx: TenantScope, report: Parameters<HandleMailReport>[2]) {
    const name =
      domain === null || report.envelopeFrom === null ? null : readRecipient(report.envelopeFrom, { domain, tokens })
    for (const token of [name?.bounceToken ?? null, ...report.messageIds.map((id) => tokenOfMessageId(tokens, id))]) {
      const found = token && (await findOutgoingByToken(tx, token))
      if (found) return found
    }
    return null
  }

  return async (tx, received, report) => {
    const mail = await findMail(tx, report)
    const connectionOwner = { ownerId: received.orgId ?? tx.tenantId, orgId: received.orgId }
    const owner = mail ?? connectionOwner
    const addresses = new Set(report.addresses.map((address) => address.toLowerCase()).filter(isAddress))
    for (const address of addresses) {
      if (report.what === 'complaint') await suppressions.hold(tx, { owner, address, reason: 'complaint' })
      else
        await suppressions.recordBounce(tx, {
          ...{ owner, address, class: report.what === 'rejected' ? 5 : 4 },
          // A delivery that is processed again counts once.
          reportedAt: received.receivedAt,
        })
    }
    if (mail === null || report.what !== 'rejected') return { kind: 'processed', effects: [] }
    const isBounced = (await recordBounced(tx, mail.id)) !== null
    if (isBounced) await events.emit(tx, 'email.bounced', { tenantId: tx.tenantId, messageId: mail.id })
    const action = isBounced ? ('updated' as const) : ('unchanged' as const)
    return { kind: 'processed', effects: [{ kind: 'message', action, targetId: mail.id, status: 'DONE' }] }
  }
}
