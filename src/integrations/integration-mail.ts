import type { Clock } from '../kernel/clock.ts'
import { providers } from '../providers/provider-table.ts'
import type { TenantScope } from '../storage/scope.ts'
import { findIntegration } from './integrations/integration.store.ts'

export type OwnerMailDeps = {
  clock: Clock
  findEmail(scope: TenantScope, userId: string): Promise<string | null>
  outbox(): {
    addNotice(
      tx: TenantScope,
      mail: {
        user: { id: string; email: string }
        kind: 'INTEGRATION_REAUTH'
        expiresAt: Date
        now: Date
        subject: string
        paragraphs: string[]
      },
    ): Promise<void>
  }
}

const lifetimeMs = 3 * 24 * 3600_000

/** Tells the user who connected an integration that it has to be connected again. */
export function ownerMail({ clock, findEmail, outbox }: OwnerMailDeps) {
  return async (tx: TenantScope, integrationId: string): Promise<void> => {
    const integration = await findIntegration(tx, integrationId)
    const userId = integration?.connectedBy ?? null
    const email = userId === null ? null : await findEmail(tx, userId)
    if (integration === null || userId === null || email === null) return
    const { title } = providers[integration.provider]
    const now = clock.now()
    await outbox().addNotice(tx, {
      user: { id: userId, email },
      kind: 'INTEGRATION_REAUTH',
      now,
      expiresAt: new Date(now.getTime() + lifetimeMs),
      subject: `${title} has to be connected again`,
      paragraphs: [
        `${title} no longer accepts the access that you gave to this service. Until you connect it again, nothing is read or written there.`,
        'What waits to be written is kept for seven days. It is written after the integration is connected again.',
      ],
    })
  }
}
