import type { Revised } from '../revised/revised.store.ts'

/** More of one kind than anybody would look at. */
export const recordsMax = 200

/** What every record of a product has beside its own terms. `order` counts from 0 without gaps. */
export type Stored<Terms> = Revised<Terms & { order: number }>

/** The ids with one of them at another place; a place past the end is the end. */
export function movedTo(ids: string[], id: string, place: number): string[] {
  const others = ids.filter((other) => other !== id)
  return [...others.slice(0, place), id, ...others.slice(place)]
}
