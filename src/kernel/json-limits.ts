/** `membersMax` counts the members of all objects and the elements of all lists together. */
export type JsonLimits = { depthMax: number; membersMax: number }

/** `offset`: of the byte that is too many. */
export type JsonExcess = { limit: keyof JsonLimits; offset: number }

/**
 * Where a JSON text in UTF-8 first exceeds a limit; null if it does not. The time that a parser and all that follows it take depends on
 * the number of values more than on the bytes, so a short body can cost seconds. One pass that allocates nothing and stops
 * at the limit. What it finds in text that is no JSON means nothing: the parser refuses that.
 */
export function findJsonExcess(json: Uint8Array, { depthMax, membersMax }: JsonLimits): JsonExcess | null {
  let depth = 0
  // Each value follows an opening bracket or a comma.
  let members = 0
  let isInText = false
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] as number
    if (isInText) {
      if (byte === 0x5c) index++
      else if (byte === 0x22) isInText = false
    } else if (byte === 0x22) isInText = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > depthMax) return { limit: 'depthMax', offset: index }
      if (++members > membersMax) return { limit: 'membersMax', offset: index }
    } else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === 0x2c && ++members > membersMax) return { limit: 'membersMax', offset: index }
  }
  return null
}
