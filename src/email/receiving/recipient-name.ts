import { looksLikeToken, type Tokens } from '../../mime/mail-token.ts'
import { localPartMax } from '../configs/local-part.rules.ts'

/** Who is written to, by an address at our domain. */
export type RecipientName = {
  localPart: string
  /** What follows the plus sign, in lower case, unless it is a token. */
  tag: string | null
  /** The random bytes of a token of ours. */
  replyToken: Buffer | null
  bounceToken: Buffer | null
}

const tagMax = 64
const addressesMax = 100

/** The first of the addresses that has this local part at our domain; else its name alone. Asks nobody. */
export function ownName(
  addresses: readonly { address: string }[],
  localPart: string | null,
  { domain, tokens }: { domain: string | null; tokens: Tokens },
): RecipientName {
  for (const { address } of domain === null ? [] : addresses.slice(0, addressesMax)) {
    const name = readRecipient(address, { domain: domain as string, tokens })
    if (name !== null && name.localPart === localPart) return name
  }
  return { localPart: localPart ?? '', tag: null, replyToken: null, bounceToken: null }
}

/** Null for an address that is none of ours: at another domain, with a wrong token, or too long. Asks nobody. */
export function readRecipient(
  address: string,
  { domain, tokens }: { domain: string; tokens: Tokens },
): RecipientName | null {
  const at = address.lastIndexOf('@')
  if (at < 1 || address.slice(at + 1).toLowerCase() !== domain) return null
  const name = address.slice(0, at).toLowerCase()
  const plus = name.indexOf('+')
  const localPart = plus < 0 ? name : name.slice(0, plus)
  const tag = plus < 0 ? null : name.slice(plus + 1)
  if (!/^[a-z0-9._-]+$/.test(localPart) || localPart.length > localPartMax) return null
  if (tag === null) return { localPart, tag, replyToken: null, bounceToken: null }
  if (!looksLikeToken(tag)) {
    const isTag = tag.length <= tagMax && /^[a-z0-9._-]*$/.test(tag)
    return isTag ? { localPart, tag: tag || null, replyToken: null, bounceToken: null } : null
  }
  const replyToken = tokens.read('reply', tag)
  const bounceToken = replyToken === null ? tokens.read('bounce', tag) : null
  return (replyToken ?? bounceToken) ? { localPart, tag: null, replyToken, bounceToken } : null
}
