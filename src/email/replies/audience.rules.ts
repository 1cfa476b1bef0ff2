import type { Replies } from '../configs/config.rules.ts'

/** Who sent a mail, as far as it is known here. */
export type Sender = {
  address: string
  /** The user of the tenant whose verified address it is. */
  userId: string | null
  /** Whether that user is a member of the organization. */
  isMember: boolean
  /** Whether a meeting of the organization names the address among its participants. */
  isParticipant: boolean
}

export type Audience = 'member' | 'participant' | 'domain' | 'anyone'

/** As what a sender gets answers; null: as nobody. Each setting includes those before it. */
export function audienceOf(
  sender: Sender,
  { audience, domains }: Pick<Replies, 'audience' | 'domains'>,
): Audience | null {
  if (sender.isMember) return 'member'
  if (audience === 'members') return null
  if (sender.isParticipant) return 'participant'
  if (audience === 'participants') return null
  if (isOfDomain(sender.address, domains)) return 'domain'
  return audience === 'anyone' ? 'anyone' : null
}

function isOfDomain(address: string, domains: readonly string[]): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domains.some((allowed) => domain === allowed.toLowerCase())
}

/** Whose reading bounds an answer. */
export type AnswerReader = { userIds: readonly string[] } | 'ALL_MEMBERS' | { participant: string } | 'PUBLIC'

/** With more readers each of them must be a member anyway. */
const readersMax = 20

/**
 * An answer rests on what all who can read it may read: the sender, and the other members of the conversation, to whom the API shows
 * it. `memberIds`: of those who correspond, without the sender.
 */
export function answerReader(sender: Sender, memberIds: readonly string[]): AnswerReader {
  if (sender.isMember && sender.userId !== null) {
    const userIds = [...new Set([sender.userId, ...memberIds])]
    return userIds.length > readersMax ? 'ALL_MEMBERS' : { userIds }
  }
  // Members in the conversation with somebody from outside would get to see more than they may.
  return sender.isParticipant && memberIds.length === 0 ? { participant: sender.address } : 'PUBLIC'
}
