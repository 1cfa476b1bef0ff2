export type Fields = Record<string, unknown>
export type Log = {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

// Tokens of the platform, and links: a link often holds the passcode of its meeting.
const secrets = /atr[a-z]+_[A-Za-z0-9_-]+|https?:\/\/[^\s"\\]+/g

/** One line of JSON for each entry. Tokens and links are withheld, wherever they stand. Never pass words of a meeting. */
export function openLog(write: (line: string) => void): Log {
  const entry =
    (level: string) =>
    (msg: string, fields: Fields = {}) =>
      write(
        `${JSON.stringify({ level, time: new Date().toISOString(), msg, ...fields }).replace(secrets, '[withheld]')}\n`,
      )
  return { info: entry('info'), warn: entry('warn'), error: entry('error') }
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
