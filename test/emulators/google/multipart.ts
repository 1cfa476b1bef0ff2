export type Part = { contentType: string; body: Buffer }

/** The parts of a `multipart/related` body. */
export function readMultipart(bytes: Buffer, contentType: string): Part[] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1]
  if (boundary === undefined) return []
  const text = bytes.toString('latin1')
  const sections = text.split(`--${boundary}`).slice(1, -1)
  return sections.map((section) => {
    const start = section.indexOf('\r\n\r\n')
    const head = section.slice(0, start)
    const body = section.slice(start + 4).replace(/\r\n$/, '')
    return {
      contentType: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? 'application/octet-stream',
      body: Buffer.from(body, 'latin1'),
    }
  })
}
