import type { TenantScope } from '../storage/scope.ts'
import { deleteConfig } from './configs/config.store.ts'
import { deleteMessagesOfOwner, deleteMessagesOfUser } from './inbox/mail-message.store.ts'
import { deleteThreadsOfOwner, forgetCorrespondent, listAddresses } from './threads/thread.store.ts'

/** Erases all that mail keeps of an organization. No mail for it is stored meanwhile: storing one holds the organization. */
export async function eraseOwner(tx: TenantScope, ownerId: string): Promise<void> {
  await deleteMessagesOfOwner(tx, ownerId)
  await deleteThreadsOfOwner(tx, ownerId)
  await deleteConfig(tx, ownerId)
}

/** Erases what a user wrote and what only this user was sent. */
export async function eraseUser(tx: TenantScope, userId: string): Promise<void> {
  const addresses = await listAddresses(tx, userId)
  await deleteMessagesOfUser(tx, { userId, addresses })
  await forgetCorrespondent(tx, userId)
}
