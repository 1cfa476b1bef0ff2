/** The token after the plus sign needs 27 of the 64 characters that a local part may have (RFC 5321 section 4.5.3.1.1). */
export const localPartMax = 30

export const localPartPattern = '^[a-z0-9](?:[a-z0-9._-]{0,28}[a-z0-9])?$'

// RFC 2142, and names that people take for the operator or for an address that nobody reads.
const reserved = new Set(
  `abuse admin administrator billing bounce bounces daemon dmarc ftp help hostmaster info mailer-daemon marketing news
  no-reply noc noreply nobody postmaster root sales security support system tls-rpt usenet uucp webmaster www`.split(
    /\s+/,
  ),
)

/** Whether a name belongs to the operator of the installation. */
export function isReservedLocalPart(localPart: string): boolean {
  return reserved.has(localPart) || localPart.includes('..')
}

const suffixLength = 6

/** The first address of an organization: words of its name, and random letters because names are not unique. */
export function defaultLocalPart(name: string, random: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, localPartMax - suffixLength - 1)
    .replace(/^-|-$/g, '')
  return `${words === '' ? 'org' : words}-${random.slice(0, suffixLength)}`
}
