import type { Correspondence, SharedField, SharedState } from '../../../providers/trackers/tracker.ts'

export const sharedFields = ['title', 'status', 'assigneeId', 'due'] as const satisfies readonly SharedField[]

/** The last state in which both were equal, each in its own words. */
export type CommonState = { ours: SharedState; theirs: SharedState }

/** Both sides changed a field, and the issue's value stands. */
export type FieldConflict = { field: SharedField; ours: string | null; theirs: string | null }

export type Merge = {
  /** What changes in the task. */
  ours: Partial<SharedState>
  /** What is to be written into the issue. */
  theirs: Partial<SharedState>
  /** The common state once the task is changed. What is to be written is common only after that. */
  common: CommonState
  conflicts: FieldConflict[]
}

/**
 * A three-way merge: each side is compared with the last common state, field by field. What only one side changed goes to the
 * other. Where both changed a field, and not to the same, the issue's value stands.
 */
export function mergeIssue(
  { common, ours, theirs }: { common: CommonState; ours: SharedState; theirs: SharedState },
  correspondence: Correspondence,
): Merge {
  const { fields, toTheirs, toOurs, agrees } = correspondence
  const merge: Merge = {
    ours: {},
    theirs: {},
    common: { ours: { ...common.ours }, theirs: { ...common.theirs } },
    conflicts: [],
  }
  for (const field of fields) {
    const [mine, other] = [ours[field], theirs[field]]
    const isOursChanged = mine !== common.ours[field]
    const isTheirsChanged = other !== common.theirs[field]
    if (!isOursChanged && !isTheirsChanged) continue
    if (agrees(field, mine, other)) setCommon(merge.common, field, [mine, other])
    else if (!isTheirsChanged) merge.theirs[field] = toTheirs(field, mine)
    else {
      if (isOursChanged) merge.conflicts.push({ field, ours: mine, theirs: other })
      const taken = toOurs(field, other)
      merge.ours[field] = taken
      setCommon(merge.common, field, [taken, other])
    }
  }
  return merge
}

export type WrittenIssue = {
  common: CommonState
  /** The task's values that were written, in the issue's words in `written`. */
  ours: SharedState
  written: Partial<SharedState>
  /** The issue before and after it. */
  before: SharedState
  after: SharedState
}

/**
 * What a write has made common. A field that the tracker left as it was is refused: the task goes back to its former value, and
 * shows that as a conflict. One that somebody else has changed meanwhile stays for the next merge.
 */
export function afterWriting({ common, ours, written, before, after }: WrittenIssue, correspondence: Correspondence) {
  const merge: Merge = {
    ours: {},
    theirs: {},
    common: { ours: { ...common.ours }, theirs: { ...common.theirs } },
    conflicts: [],
  }
  for (const field of sharedFields) {
    const wanted = written[field]
    if (wanted === undefined) continue
    if (after[field] === wanted || correspondence.agrees(field, ours[field], after[field]))
      setCommon(merge.common, field, [ours[field], after[field]])
    else if (after[field] === before[field]) {
      merge.conflicts.push({ field, ours: ours[field], theirs: after[field] })
      const former = common.ours[field]
      const isFormer = correspondence.agrees(field, former, after[field])
      merge.ours[field] = isFormer ? former : correspondence.toOurs(field, after[field])
      setCommon(merge.common, field, [merge.ours[field] ?? null, after[field]])
    }
  }
  return merge
}

/** Whether a state of the issue has something that the last common state has not. */
export function isNewsOf(common: CommonState, theirs: SharedState, fields: readonly SharedField[]): boolean {
  return fields.some((field) => theirs[field] !== common.theirs[field])
}

function setCommon(common: CommonState, field: SharedField, [ours, theirs]: [string | null, string | null]): void {
  common.ours[field] = ours
  common.theirs[field] = theirs
}
