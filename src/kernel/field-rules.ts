import { explainedFaultsMax, type FieldError, invalidFields, Refusal } from './refusal.ts'

/** A rule that a schema cannot express. It refuses with the fields that break it. */
export type FieldRule = () => unknown

type FittingMember<V> = V extends readonly (infer E)[] ? (E extends object ? (E | null)[] : V) : V

/**
 * The members of a request that fit its schema. One that was sent and does not fit is undefined, but present: ask with `in`
 * whether a member is missing. An object in a list that does not fit is null.
 */
export type Fitting<T> = { [Name in keyof T]?: FittingMember<T[Name]> | undefined }

/** A rule about a member that may be absent. */
export function ruleFor<T>(value: T | null | undefined, check: (value: T) => unknown): FieldRule {
  return () => (value === null || value === undefined ? undefined : check(value))
}

/** The refusals of the rules that are broken. What a rule throws besides is no fault of a field, and is left out. */
export async function brokenRules(rules: FieldRule[]): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  for (const rule of rules) {
    try {
      await rule()
    } catch (error) {
      if (isAboutFields(error)) refusals.push(error)
    }
  }
  return refusals
}

/** Refuses with the faults of all rules that are broken, not only of the first. */
export async function refuseBroken(rules: FieldRule[]): Promise<void> {
  const refusals = await brokenRules(rules)
  if (refusals.length > 0) throw joinRefusals(refusals)
}

/** What `read` makes of each item. Refuses with the faults of all items, not only of the first that is refused. */
export async function readEach<Item, Result>(
  items: Iterable<Item>,
  read: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const refusals: Refusal[] = []
  let index = 0
  for (const item of items) {
    try {
      results.push(await read(item, index++))
    } catch (error) {
      if (!isAboutFields(error)) throw error
      refusals.push(error)
      if (refusals.length >= explainedFaultsMax) break
    }
  }
  if (refusals.length > 0) throw joinRefusals(refusals)
  return results
}

export function isAboutFields(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.options.errors?.length ?? 0) > 0
}

/**
 * One refusal with the faults of all, the first of each place. Its code is theirs if all have the same one. There must be
 * at least one.
 */
export function joinRefusals(refusals: Refusal[]): Refusal {
  const [first] = refusals as [Refusal]
  const faults = distinctFaults(refusals.flatMap(({ options }) => options.errors ?? []))
  if (faults.length === first.options.errors?.length) return first
  const isSameCode = refusals.every(({ code }) => code === first.code)
  return invalidFields(faults.slice(0, explainedFaultsMax), isSameCode ? first.code : 'VALIDATION_ERROR')
}

function distinctFaults(faults: FieldError[]): FieldError[] {
  const distinct = firstFaults(faults)
  // The whole body is named only where nothing tells the place.
  return distinct.filter(
    (fault) => fault.path !== '/body' || !distinct.some((other) => other !== fault && other.code === fault.code),
  )
}

/** The first fault of each place is enough: an empty text also has the wrong format. */
export function firstFaults(faults: Iterable<FieldError>, max = Number.POSITIVE_INFINITY): FieldError[] {
  const byPath = new Map<string, FieldError>()
  for (const fault of faults) {
    if (!byPath.has(fault.path)) byPath.set(fault.path, fault)
    if (byPath.size === max) break
  }
  return [...byPath.values()]
}
