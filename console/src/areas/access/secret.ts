/** Shown once, after it was made. */
export type Secret = { label: string; secret: string; hint: string }
