/** Pairs of sibling folders that still import each other. This list may only shrink: what both need belongs above or below them. */
export const mutualSiblings = ['analytics/events, analytics/summaries', 'vault/devices, vault/sessions']
