import { cleanLine } from '../../kernel/clean-text.ts'
import { textAt } from '../answer-fields.ts'
import type { ProviderRequest, Target } from '../provider.ts'
import type { ReceivedAnswer } from '../provider-http.ts'
import { writtenTitle } from '../writers/writer.ts'

/** What a task and its issue have in common. `assigneeId` of an issue is the tracker's id of a person. */
export type SharedField = 'title' | 'status' | 'assigneeId' | 'due'
export type SharedState = Record<SharedField, string | null>

/** How the values of a task and of a tracker's issue correspond. A tracker may have fewer of them than a task. */
export type Correspondence = {
  /** The others are not kept equal. */
  fields: readonly SharedField[]
  toTheirs(field: SharedField, value: string | null): string | null
  toOurs(field: SharedField, value: string | null): string | null
  /** Whether the two values mean the same. */
  agrees(field: SharedField, ours: string | null, theirs: string | null): boolean
}

/** A person as a tracker knows them. Some trackers hide the address. */
export type TrackerPerson = { id: string; name: string; email: string | null }

/** An issue as the tracker has it now. */
export type Issue = {
  /** Stays the same; the key, by which it is asked for, may change. */
  id: string
  key: string
  url: string | null
  state: SharedState
  assignee: TrackerPerson | null
  updatedAt: Date
}

/** One account at the tracker. */
export type TrackerApi = {
  accountId: string | null
  /** One call with the access token. */
  call(toRequest: (accessToken: string) => ProviderRequest): Promise<ReceivedAnswer>
}

/** The part of a tracker that actions write to: a repository, a team or a project. */
export type Container = string

export type NewHook = { container: Container; url: string; secret: string }
export type KnownHook = { container: Container; hookId: string }
/** What was changed since then. */
export type Since = { since: Date; now: Date }

export type Tracker = Correspondence & {
  /** As the links of tasks and inbound deliveries name it. */
  name: 'jira' | 'linear' | 'github'
  containerOf(target: Target): Container
  /** Null: the issue no longer exists, or the account may not see it. */
  get(api: TrackerApi, key: string): Promise<Issue | null>
  /** Writes the values that differ, and reads the issue again. A value that it cannot take stays as it was. */
  update(api: TrackerApi, issue: Issue, changes: Partial<SharedState>): Promise<Issue | null>
  /** What was changed in the container since then, page by page. */
  listChanged(api: TrackerApi, container: Container, period: Since): AsyncGenerator<Issue[]>
  /** The person with this address. Null: nobody, or the tracker does not tell. */
  findPerson(api: TrackerApi, email: string): Promise<string | null>
  /** Who makes our changes, as deliveries name them. */
  findActor(api: TrackerApi): Promise<string | null>
  hooks: {
    /** Whether all connections of the app have one address, and deliveries name the account. */
    isAddressShared: boolean
    /** After so many days it ends by itself. Null: it does not. */
    lifeDays: number | null
    /** The tracker's id of it. */
    create(api: TrackerApi, hook: NewHook): Promise<string>
    /** One that has this address already. */
    find(api: TrackerApi, hook: Pick<NewHook, 'container' | 'url'>): Promise<string | null>
    /** False: it no longer exists. */
    renew(api: TrackerApi, hook: KnownHook): Promise<boolean>
    removal(api: Pick<TrackerApi, 'accountId'>, hook: KnownHook): (token: string) => ProviderRequest
  }
}

/** The tracker answered that it does not do this. */
export class TrackerRefusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`The tracker answered with ${status}.`)
    this.name = 'TrackerRefusal'
    this.status = status
  }
}

/** The body of a good answer. Throws TrackerRefusal. */
export function bodyOf({ status, body }: ReceivedAnswer): unknown {
  if (status < 300) return body
  throw new TrackerRefusal(status)
}

/** Whether a value was refused, rather than the whole request. */
export function isInvalid({ status }: ReceivedAnswer): boolean {
  return status === 400 || status === 422
}

const titleLettersRead = 500

/** A title of the tracker, as a task can have it. */
export const readTitle = (title: string | null): string => cleanLine(title ?? '', titleLettersRead) || '?'

export function readDay(issue: unknown, ...path: string[]): string | null {
  const day = textAt(issue, ...path)
  return day !== null && /^[12]\d{3}-\d\d-\d\d$/.test(day) ? day : null
}

export function readTime(issue: unknown, ...path: string[]): Date {
  const at = Date.parse((textAt(issue, ...path) ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return new Date(Number.isNaN(at) ? 0 : at)
}

/** What most trackers share. `statuses`: those of tasks, in the words of the tracker's issues. */
export function correspondence(statuses: Record<string, string>): Correspondence {
  const toTheirs: Correspondence['toTheirs'] = (field, value) => {
    if (field === 'title') return writtenTitle(value ?? '')
    return field === 'status' ? (statuses[value ?? ''] ?? 'open') : value
  }
  return {
    fields: ['title', 'status', 'assigneeId', 'due'],
    toTheirs,
    toOurs: (_field, value) => value,
    agrees: (field, ours, theirs) => ours === theirs || toTheirs(field, ours) === theirs,
  }
}
