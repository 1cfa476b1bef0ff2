/** The address of a site without a slash at its end, so that paths can be appended. */
export function siteBase(publicUrl: string): string {
  const { origin, pathname } = new URL(publicUrl)
  return origin + pathname.replace(/(?<!\/)\/+$/, '')
}
