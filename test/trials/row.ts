/** What one round, or all of them, showed; `broken` names the promises that did not hold. */
export type Row = Record<string, number | string> & { broken: string }
