const boundaryMax = 200
const boundaryParameter = /boundary\s{0,20}=\s{0,20}(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi

/**
 * About how many parts a mail has: the lines that begin with a boundary that it names anywhere. Takes linear time, which the
 * number of parts cannot make longer.
 */
export function countParts(bytes: Buffer): number {
  const boundaries = new Set<string>()
  for (const [, quoted, bare] of bytes.toString('latin1').matchAll(boundaryParameter)) {
    if (boundaries.size === boundaryMax) break
    boundaries.add((quoted ?? bare ?? '').trimEnd())
  }
  let count = 1
  for (let at = bytes.indexOf('--'); at >= 0; at = bytes.indexOf('\n--', at)) {
    const start = bytes[at] === 0x0a ? at + 3 : at + 2
    at = start
    const line = bytes.toString('latin1', start, Math.min(start + boundaryMax + 2, lineEnd(bytes, start))).trimEnd()
    if (boundaries.has(line)) count += 1
  }
  return count
}

function lineEnd(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(0x0a, from)
  return found < 0 ? bytes.length : found
}
