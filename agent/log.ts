export type Fields = Record<string, unknown>
export type Log = {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

// 32 bytes in base64 are a key of WireGuard, whether public, private or preshared; and the platform's tokens.
const secrets = /[A-Za-z0-9+/]{43}=|atr(?:node|enroll)_[A-Za-z0-9_-]+/g

/** One line of JSON for each entry. Whatever looks like a key or a token is withheld, wherever it stands. */
export function openLog(write: (line: string) => void): Log {
  const entry =
    (level: string) =>
    (msg: string, fields: Fields = {}) =>
      write(`${JSON.stringify({ level, time: new Date().toISOString(), msg, ...fields }).replace(secrets, '[key]')}\n`)
  return { info: entry('info'), warn: entry('warn'), error: entry('error') }
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
