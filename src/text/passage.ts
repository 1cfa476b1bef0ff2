/** `id` is the anchor of the heading in `html`. */
export type TocEntry = { id: string; text: string; level: number }

/** What stands below one heading, as plain text; before the first heading `anchor` is null. */
export type Passage = { anchor: string | null; heading: string; text: string }
