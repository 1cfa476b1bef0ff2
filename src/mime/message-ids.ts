/** Message ids with their brackets. A single id may come without brackets. */
export function messageIds(value: string, max: number): string[] {
  const bracketed = value.match(/<[^<>\s]{1,998}>/g) ?? (/^[^<>\s]{1,998}$/.test(value) ? [`<${value}>`] : [])
  return bracketed.slice(0, max)
}
