/** Close codes that we send. Codes above 4000 are our own; their last digits are the similar HTTP status. */
export const closeCodes = {
  NOT_TEXT: [1003, 'A binary frame: frames are JSON in text.'],
  NOT_JSON: [1007, 'The frame is not JSON in UTF-8; an `error` frame says what is wrong.'],
  TOO_MANY_PIECES: [1008, 'A frame in more than 64 pieces.'],
  TOO_LARGE: [1009, 'A frame has more than 64 KiB.'],
  RESTART: [1012, 'The node stops. Connect again, which leads to another one, and join with `afterSeq`.'],
  UNAUTHENTICATED: [
    4401,
    'The token is missing, wrong or expired, or its session, user or tenant is gone; the reason is the code.',
  ],
  FORBIDDEN: [
    4403,
    'The token was right, but its user or tenant is suspended, now or meanwhile, or the API key is not for the product.',
  ],
  GONE: [4404, 'The only meeting that the connection followed has been deleted, or is no longer shared with the user.'],
  LATE: [4408, 'No token came within 5 s (`AUTH_TIMEOUT`), or the client reads too slowly (`SLOW_READER`).'],
  TOO_MANY: [
    4429,
    'More than 20 frames a second, frames beyond the rate limit (`RATE_LIMITED`), frames that take too long to read (`TOO_COSTLY`), or too many connections of one user or tenant.',
  ],
} as const satisfies Record<string, readonly [code: number, meaning: string]>

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes][0]

export const closeCode = Object.fromEntries(Object.entries(closeCodes).map(([name, [code]]) => [name, code])) as {
  [Name in keyof typeof closeCodes]: (typeof closeCodes)[Name][0]
}
