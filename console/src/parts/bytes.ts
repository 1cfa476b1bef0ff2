const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
const number = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

/** In units of 1,024, such as `70 MB`. */
export function bytesText(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${number.format(bytes / 1024 ** power)} ${units[power]}`
}
