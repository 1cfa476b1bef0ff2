/** Texts that have surprised programs before. */
export const hostileTexts: string[] = [
  '',
  ' ',
  '\u202e',
  '%00',
  "'; drop table tenants; --",
  '\ufffd',
  'x'.repeat(5000),
  '😀'.repeat(100),
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00Z',
]

/** Other values of JSON at their edges. */
export const hostileValues: unknown[] = [
  0,
  -1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 + 2,
  1e308,
  1.5,
  null,
  true,
  [],
  {},
  [[]],
  ['a', 'a'],
  { a: { b: 1 } },
]

/** Values of a query parameter that are no text: they stand for NUL, are not UTF-8, or cannot be decoded. */
export const undecodableParams: string[] = ['%00', 'a%00b', '%FF', '%C0%80', '%ED%A0%80', 'caf%E9', '%', '%2', '%zz']

/** Texts in a query parameter as they stand in the URL. */
export const hostileParams: string[] = [
  '',
  '%F0%9F%98%80',
  "'",
  'a'.repeat(3000),
  '[]',
  '-1',
  '1e400',
  '2026-99-99',
  '__proto__',
]
