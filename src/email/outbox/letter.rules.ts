import type { MailContent, MailKind } from './mail.rules.ts'

/** The tenant that writes to its users, with the names and addresses of its whitelabel configuration. */
export type Sender = {
  name: string
  displayName: string | null
  emailFromName: string | null
  supportEmail: string | null
  customDomain: string | null
}

export type Letter = {
  fromName: string
  replyTo: string | null
  subject: string
  text: string
  html: string
}

type Subject = {
  sender: Sender
  publicUrl: string | null
  kind: MailKind
  token: string
  expiresAt: Date
  /** Of an invitation. */
  invitation?: MailContent['invitation']
}

type Words = { subject: string; opening: string; act: string; page: string; closing: string }

/**
 * Renders a mail. It contains nothing that the user wrote, not even the name: whoever registers with somebody else's
 * address must not be able to send that person a text. An invitation names the organization, by letters, digits and spaces,
 * and the address of whoever invites.
 */
export function renderLetter({ sender, publicUrl, kind, token, expiresAt, invitation }: Subject): Letter {
  const brand = oneLine(sender.displayName ?? sender.name)
  const words = invitation === undefined ? letterTexts(kind, brand) : invitationTexts(invitation, brand)
  const base = sender.customDomain === null ? publicUrl : `https://${sender.customDomain}`
  const link = base === null ? null : `${base.replace(/(?<!\/)\/+$/, '')}/${words.page}?token=${token}`
  const until = `It works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  const support = sender.supportEmail === null ? [] : [`Questions? Write to ${oneLine(sender.supportEmail)}.`]
  const before = [words.opening, ...(link === null ? [] : [`${words.act}:`])]
  const code = link === null ? `${words.act} with this code:` : 'Or enter this code:'
  const after = [`${until} ${words.closing}`, ...support]
  return {
    fromName: oneLine(sender.emailFromName ?? sender.displayName ?? sender.name),
    replyTo: sender.supportEmail,
    subject: words.subject,
    text: `${[...before, ...(link === null ? [] : [link]), code, token, ...after].join('\n\n')}\n`,
    html: renderHtml([
      ...before.map(escapeHtml),
      ...(link === null ? [] : [`<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`]),
      escapeHtml(code),
      `<code>${escapeHtml(token)}</code>`,
      ...after.map(escapeHtml),
    ]),
  }
}

function letterTexts(kind: MailKind, brand: string): Words {
  if (kind === 'RESET_PASSWORD')
    return {
      subject: `Reset your ${brand} password`,
      opening: `Somebody, probably you, asked to reset the password of the ${brand} account with this address.`,
      act: 'Choose a new password',
      page: 'reset-password',
      closing: 'If it was not you, ignore this message: the password stays as it is.',
    }
  return {
    subject: `Confirm your address for ${brand}`,
    opening: `This address was given for an account at ${brand}.`,
    act: 'Confirm that it is yours',
    page: 'verify-email',
    closing: 'If it was not you, ignore this message.',
  }
}

function invitationTexts({ inviterEmail, orgName }: NonNullable<MailContent['invitation']>, brand: string): Words {
  return {
    subject: `Invitation to ${orgName} at ${brand}`,
    opening: `${inviterEmail} invites you to the organization ${orgName} at ${brand}.`,
    act: 'Accept the invitation',
    page: 'accept-invitation',
    closing: 'If you do not know the sender, ignore this message.',
  }
}

/** A header ends at a line break. Without line breaks no part of a name can become another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function renderHtml(paragraphs: string[]): string {
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')
  return `<!doctype html>\n<html lang="en"><body>\n${body}\n</body></html>\n`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
