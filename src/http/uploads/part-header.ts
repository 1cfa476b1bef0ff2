/** The headers of one part of a multipart body (RFC 7578). `filename` is null for a text field. */
export type PartHeader = { name: string; filename: string | null; contentType: string; charset: string | null }

const utf8 = new TextDecoder('utf-8', { fatal: true })
// One parameter; the quoted form may contain `\"`. Browsers write quotes and line breaks as %22, %0D and %0A.
const parameter = /;[ \t]*([a-z][a-z0-9-]*\*?)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))[ \t]*/giy

/**
 * Null if these are not a part's headers: without a name, with a repeated parameter, or not in UTF-8.
 * @param headers values by lower-case name, each character one byte.
 */
export function readPartHeader(headers: Record<string, string[] | undefined>): PartHeader | null {
  const [disposition, isSecond] = headers['content-disposition'] ?? []
  const [type = 'text/plain', isSecondType] = headers['content-type'] ?? []
  if (disposition === undefined || isSecond !== undefined || isSecondType !== undefined) return null
  const dispositionHeader = parseHeaderParameters(disposition)
  const typeHeader = parseHeaderParameters(type)
  if (dispositionHeader?.value !== 'form-data' || typeHeader === null) return null
  const name = decodeUtf8(dispositionHeader.parameters.get('name'))
  const filename = decodeFilename(dispositionHeader.parameters)
  if (!name || filename === undefined) return null
  return {
    name,
    filename,
    contentType: typeHeader.value,
    charset: typeHeader.parameters.get('charset')?.toLowerCase() ?? null,
  }
}

/** The approximate length of the header lines. */
export function headerBytes(headers: Record<string, string[]>): number {
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => name.length + value.length))
  return lines.reduce((sum, length) => sum + length, 0)
}

/** A value and its parameters; null for another format. Names and the value are in lower case. */
export function parseHeaderParameters(text: string): { value: string; parameters: Map<string, string> } | null {
  const end = text.indexOf(';') === -1 ? text.length : text.indexOf(';')
  const parameters = new Map<string, string>()
  parameter.lastIndex = end
  let at = end
  for (let found = parameter.exec(text); found !== null; found = parameter.exec(text)) {
    const [, name = '', quoted, plain = ''] = found
    if (parameters.has(name.toLowerCase())) return null
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? plain)
    at = parameter.lastIndex
  }
  // A last semicolon without a parameter is common and harmless.
  if (!/^[ \t]*(?:;[ \t]*)?$/.test(text.slice(at))) return null
  return { value: text.slice(0, end).trim().toLowerCase(), parameters }
}

/** `filename*` (RFC 5987) wins over `filename`. Undefined if it is invalid. */
function decodeFilename(parameters: Map<string, string>): string | null | undefined {
  const extended = parameters.get('filename*')
  if (extended !== undefined) {
    const [, text] = /^utf-8'[^']*'(.*)$/i.exec(extended) ?? []
    try {
      return text === undefined ? undefined : decodeURIComponent(text)
    } catch {
      return undefined
    }
  }
  const plain = parameters.get('filename')
  return plain === undefined ? null : decodeUtf8(plain)?.replace(/%(22|0D|0A)/g, (code) => decodeURIComponent(code))
}

function decodeUtf8(bytes: string | undefined): string | undefined {
  if (bytes === undefined) return undefined
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}
