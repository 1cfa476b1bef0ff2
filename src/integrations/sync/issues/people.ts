import type { ProviderName } from '../../../providers/provider.ts'
import type {
  Correspondence,
  Issue,
  SharedState,
  Tracker,
  TrackerApi,
  TrackerPerson,
} from '../../../providers/trackers/tracker.ts'
import type { TenantScope } from '../../../storage/scope.ts'
import { findOwnAccountName, findUserOfAccount } from './issue.store.ts'
import type { CommonState } from './issue-merge.rules.ts'

export type PeopleDeps = {
  findEmail(scope: TenantScope, userId: string): Promise<string | null>
  /** The user with this address, if it is verified. */
  findVerifiedUser(scope: TenantScope, address: string): Promise<string | null>
  isMember(scope: TenantScope, member: { orgId: string; userId: string }): Promise<boolean>
}

export type People = ReturnType<typeof trackerPeople>

/** Who is who on both sides: by an account that a user has connected (GitHub), or by an address that both sides know. */
export function trackerPeople({ findEmail, findVerifiedUser, isMember }: PeopleDeps) {
  async function personOf(
    scope: TenantScope,
    { provider, tracker, api, userId }: { provider: ProviderName; tracker: Tracker; api: TrackerApi; userId: string },
  ): Promise<string | null> {
    if (provider === 'github') return findOwnAccountName(scope, { provider, userId })
    const email = await findEmail(scope, userId)
    if (email === null || (await findVerifiedUser(scope, email)) !== userId) return null
    return tracker.findPerson(api, email)
  }

  async function userOf(
    scope: TenantScope,
    { provider, person, orgId }: { provider: ProviderName; person: TrackerPerson; orgId: string },
  ): Promise<string | null> {
    const userId =
      provider === 'github'
        ? await findUserOfAccount(scope, { provider, name: person.id })
        : person.email && (await findVerifiedUser(scope, person.email))
    return userId && (await isMember(scope, { orgId, userId })) ? userId : null
  }

  /**
   * The correspondence of a tracker with the people of this comparison. Nobody is looked up where no assignee has changed.
   * Whom the tracker does not know is nobody there; whom we do not know is a name here.
   */
  async function correspondenceOf(
    scope: TenantScope,
    sides: {
      provider: ProviderName
      tracker: Tracker
      api: TrackerApi
      orgId: string
      common: CommonState
      ours: Pick<SharedState, 'assigneeId'>
      issue: Issue
    },
  ): Promise<Correspondence> {
    const { provider, tracker, api, orgId, common, ours, issue } = sides
    const isOursNew = ours.assigneeId !== common.ours.assigneeId
    const isTheirsNew = issue.state.assigneeId !== common.theirs.assigneeId
    const person =
      isOursNew && ours.assigneeId !== null
        ? await personOf(scope, { provider, tracker, api, userId: ours.assigneeId })
        : null
    const user =
      isTheirsNew && issue.assignee !== null ? await userOf(scope, { provider, person: issue.assignee, orgId }) : null
    return {
      ...tracker,
      toTheirs: (field, value) => (field === 'assigneeId' ? person : tracker.toTheirs(field, value)),
      toOurs: (field, value) => (field === 'assigneeId' ? user : tracker.toOurs(field, value)),
      agrees: (field, mine, theirs) => {
        if (field !== 'assigneeId') return tracker.agrees(field, mine, theirs)
        if (mine === null) return theirs === null
        return (isTheirsNew && user === mine && theirs !== null) || (isOursNew && person === theirs)
      },
    }
  }

  return { correspondenceOf }
}
