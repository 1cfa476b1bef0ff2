const errorLengthMax = 300

/** The answer of another service as one line, without the secret, which some servers quote. An empty one withholds nothing. */
export function errorLine(message: string, secret = ''): string {
  const withheld = secret === '' ? message : message.replaceAll(secret, '[withheld]')
  const line = withheld.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.slice(0, errorLengthMax)
}
