import { connect } from 'node:net'

/** Says lines to a mail server, each after the answer to the one before, and returns the last line of each answer. */
export async function smtpConversation(
  port: number | null,
  lines: string[],
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<string[]> {
  // The loop below throws its errors, but for a write that fails after the server has hung up.
  const socket = connect(port ?? 0, '127.0.0.1').on('error', () => undefined)
  const answers: string[] = []
  let pending = ''
  let said = 0
  for await (const chunk of socket) {
    pending += chunk
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      if (line[3] === '-') continue
      answers.push(line)
      const next = lines[said++]
      if (next === undefined) socket.end('QUIT\r\n')
      else socket.write(`${next}\r\n`, encoding)
    }
    if (answers.length > lines.length + 1) break
  }
  return answers.slice(1, lines.length + 1)
}

/** A mail as it is sent after DATA. */
export function mailLines(headers: string[], text = 'Where are the slides?'): string {
  return [...headers, '', text, '.'].join('\r\n')
}
