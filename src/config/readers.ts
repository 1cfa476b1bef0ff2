/** Reads one variable: `allowed` completes "must be", and `read` returns undefined for a bad value. */
export type Read<T> = { allowed: string; defaultValue: T; read(text: string): T | undefined }

/** `[variable, reader, meaning]` by the name that the code uses. */
export type Settings = Record<string, readonly [variable: string, reader: Read<unknown>, meaning: string]>

export function text(defaultValue: string, allowed: string, pattern: RegExp): Read<string> {
  return { allowed, defaultValue, read: (value) => (pattern.test(value) ? value : undefined) }
}

export function integer(defaultValue: number, min: number, max: number): Read<number> {
  const isAllowed = (value: number) => Number.isInteger(value) && value >= min && value <= max
  return {
    allowed: `an integer from ${min} to ${max}`,
    defaultValue,
    read: (value) => (/^\d+$/.test(value) && isAllowed(Number(value)) ? Number(value) : undefined),
  }
}

export function word<const T extends string>(defaultValue: T, words: readonly T[]): Read<T> {
  return {
    allowed: `one of ${words.join(', ')}`,
    defaultValue,
    read: (value) => words.find((candidate) => candidate === value),
  }
}

export function url(protocols: string[]): Read<string | null> {
  const isAllowed = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol)
  return {
    allowed: `an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    defaultValue: null,
    read: (value) => (isAllowed(value) ? value : undefined),
  }
}

export function optional(allowed: string, isAllowed: (value: string) => boolean): Read<string | null> {
  return { allowed, defaultValue: null, read: (value) => (isAllowed(value) ? value : undefined) }
}

export function list(defaultValue: string[], allowed: string, isAllowed: (entry: string) => boolean): Read<string[]> {
  return {
    allowed: `${allowed}, separated by commas`,
    defaultValue,
    read: (value) => {
      const entries = value.split(',').map((entry) => entry.trim())
      return entries.every(isAllowed) ? entries : undefined
    },
  }
}

/** Null where nothing is set, and an empty list for `off`. */
export function listOrOff(allowed: string, isAllowed: (entry: string) => boolean): Read<string[] | null> {
  const entries = list([], allowed, isAllowed)
  return {
    allowed: `${entries.allowed}, or off`,
    defaultValue: null,
    read: (value) => (value === 'off' ? [] : entries.read(value)),
  }
}

/** `name=value` pairs. A repeated name is refused, because one of its values would be lost silently. */
export function pairs(allowed: string, shape: RegExp): Read<ReadonlyMap<string, string>> {
  return {
    allowed: `${allowed}, each once, separated by commas`,
    defaultValue: new Map(),
    read: (value) => {
      const found = value.split(',').map((entry) => shape.exec(entry.trim()))
      const named = new Map(found.map((match) => [match?.[1] ?? '', match?.[2] ?? '']))
      return found.includes(null) || named.size < found.length ? undefined : named
    },
  }
}
