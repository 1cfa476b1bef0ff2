/** Message ids with their brackets. A single id may come without brackets. What has control characters is none: no database keeps them. */
export function messageIds(value: string, max: number): string[] {
  const bracketed =
    value.match(/<[^<>\s\p{Cc}]{1,998}>/gu) ?? (/^[^<>\s\p{Cc}]{1,998}$/u.test(value) ? [`<${value}>`] : [])
  return bracketed.slice(0, max)
}
