import { Refusal } from '../../kernel/refusal.ts'

/** A record that belongs to a product (a feature, a doc, a download): its own fields, and what all children have. */
export type ProductChild<Fields> = Fields & {
  id: string
  productId: string
  /** Counts its changes. */
  revision: number
  createdAt: Date
  updatedAt: Date
}

export type ProductChildKey = { productId: string; id: string }

/** With its position among its siblings: from 0, without gaps. */
export type Ordered<Fields> = Fields & { order: number }

/** The most ordered children of one kind that a product may have. */
export const orderedChildrenMax = 200

/** The largest `order` that a request may send; a position past the end is the end. */
export const endOfList = 10_000

/** The members of a request: undefined keeps the current value, null restores the default. */
export type SentFields<Fields> = { [Name in keyof Fields]?: Fields[Name] | null | undefined }

/** `current` with the sent members over it. A null whose field has no default stays null. */
export function mergeFields<Current extends object>(current: Current, sent: object, defaults: object): Current {
  const defaultValues = new Map<string, unknown>(Object.entries(defaults))
  const changed = Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value ?? defaultValues.get(name) ?? null])
  return { ...current, ...Object.fromEntries(changed) }
}

/** The ids with one of them moved to another position. */
export function moveId(ids: string[], id: string, position: number): string[] {
  const others = ids.filter((other) => other !== id)
  return [...others.slice(0, position), id, ...others.slice(position)]
}

/** Makes the refusal of a slug or code that another child of the product has. */
export function nameTaken(noun: string, field: 'slug' | 'code'): (value: string) => Refusal {
  return (value) => new Refusal('SLUG_TAKEN', { detail: `Another ${noun} of the product has the ${field} ${value}.` })
}
