import { escapeHtml } from '../kernel/escape-html.ts'
import { siteBase } from '../kernel/site-base.ts'
import type { LetterTexts, MailContent, MailKind, Paragraph } from './mail.rules.ts'
import { tasksDueTexts } from './tasks-due-letter.rules.ts'

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
  /** Null: the mail is not one of many. */
  unsubscribeUrl: string | null
}

type Subject = MailContent & { sender: Sender; publicUrl: string | null; kind: MailKind; expiresAt: Date }

type Words = { subject: string; opening: string; act: string; page: string; closing: string }

/** Renders a mail. */
export function renderLetter(subject: Subject): Letter {
  const { sender, publicUrl, token, kind } = subject
  const support = sender.supportEmail === null ? [] : [`Questions? Write to ${oneLine(sender.supportEmail)}.`]
  const brand = oneLine(sender.displayName ?? sender.name)
  const unsubscribeUrl =
    (kind !== 'TASKS_DUE' && kind !== 'DIGEST') || publicUrl === null
      ? null
      : `${siteBase(publicUrl)}/assistant/v1/email/unsubscribe/${token}`
  const { subject: line, paragraphs } = letterOf(subject, { brand, unsubscribeUrl })
  const all = [...paragraphs, ...support.map((text): Paragraph => ({ text }))]
  return {
    fromName: oneLine(sender.emailFromName ?? sender.displayName ?? sender.name),
    replyTo: sender.supportEmail,
    subject: oneLine(line),
    text: `${all.map(({ text }) => text).join('\n\n')}\n`,
    html: renderHtml(all.map(paragraphHtml)),
    unsubscribeUrl,
  }
}

function letterOf(
  subject: Subject,
  { brand, unsubscribeUrl }: { brand: string; unsubscribeUrl: string | null },
): LetterTexts {
  const { tasksDue, notice } = subject
  if (notice !== undefined) {
    const paragraphs = notice.paragraphs.map((text): Paragraph => ({ text }))
    return { subject: notice.subject, paragraphs: [...paragraphs, ...unsubscribeParagraphs(unsubscribeUrl)] }
  }
  return tasksDue === undefined ? tokenLetter(subject, brand) : tasksDueTexts(tasksDue, { brand, unsubscribeUrl })
}

/**
 * A mail with a token. It contains nothing that the user wrote, not even the name: a person who registers with somebody else's
 * address must not be able to send that person a text. An invitation names the organization, by letters, digits and spaces,
 * and the address of the person who invites.
 */
function tokenLetter({ sender, publicUrl, kind, token, expiresAt, invitation }: Subject, brand: string): LetterTexts {
  const words = invitation === undefined ? letterTexts(kind, brand) : invitationTexts(invitation, brand)
  const base = sender.customDomain === null ? publicUrl : `https://${sender.customDomain}`
  const until = `It works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  const after: Paragraph[] = [{ text: token, as: 'code' }, { text: `${until} ${words.closing}` }]
  if (base === null)
    return {
      subject: words.subject,
      paragraphs: [{ text: words.opening }, { text: `${words.act} with this code:` }, ...after],
    }
  const link: Paragraph = { text: `${siteBase(base)}/${words.page}?token=${token}`, as: 'link' }
  const before = [{ text: words.opening }, { text: `${words.act}:` }, link, { text: 'Or enter this code:' }]
  return { subject: words.subject, paragraphs: [...before, ...after] }
}

function unsubscribeParagraphs(unsubscribeUrl: string | null): Paragraph[] {
  return unsubscribeUrl === null ? [] : [{ text: 'Stop these mails:' }, { text: unsubscribeUrl, as: 'link' }]
}

function paragraphHtml({ text, as }: Paragraph): string {
  const escaped = escapeHtml(text)
  if (as === 'link') return `<a href="${escaped}">${escaped}</a>`
  return as === 'code' ? `<code>${escaped}</code>` : escaped.replaceAll('\n', '<br>\n')
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
