import { invalidField } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import { noLinks, noSeo, type ProductFields, sortOrderDefault } from './product.rules.ts'
import type { NewProduct, ProductChange } from './product-admin.schema.ts'
import { milestonesAfter, noMilestones, refuseStatusMove } from './product-status.rules.ts'
import { parseStatus, parseType } from './product-vocabulary.rules.ts'

/** Refuses VALIDATION_ERROR, and STATE_CONFLICT for a new product that is DEPRECATED. */
export function newProductFields(sent: NewProduct, descriptionHtml: string, now: Date): ProductFields {
  const type = parseType(sent.type, '/body/type')
  const status = parseStatus(sent.status ?? 'DRAFT', '/body/status')
  refuseStatusMove({ from: 'DRAFT', to: status.word, force: false })
  return {
    slug: sent.slug,
    name: sent.name,
    tagline: sent.tagline ?? '',
    description: sent.description ?? '',
    descriptionHtml,
    type: type.word,
    typeLabel: type.label,
    status: status.word,
    statusLabel: status.label,
    isFeatured: sent.isFeatured ?? false,
    sortOrder: sent.sortOrder ?? sortOrderDefault,
    apiPrefix: sent.apiPrefix ?? null,
    iconMediaId: sent.iconMediaId ?? null,
    coverMediaId: sent.coverMediaId ?? null,
    tags: distinct(sent.tags ?? []),
    links: { ...noLinks, ...sent.links },
    seo: { ...noSeo, ...sent.seo },
    ...milestonesAfter(noMilestones, status.word, now),
    sunsetAt: null,
    replacedById: null,
  }
}

/** What a change needs beside the request. */
export type ChangeContext = {
  now: Date
  /** The HTML of the new description, if the request has one. */
  descriptionHtml: string | null
  /** The id of the product that `replacedBy` names, if it names one. */
  replacedById: string | null
}

/** Absent members keep their value, null clears one. Refuses VALIDATION_ERROR, and STATE_CONFLICT for an impossible status. */
export function changedProductFields(before: ProductFields, sent: ProductChange, facts: ChangeContext): ProductFields {
  const description = sent.description === undefined ? before.description : (sent.description ?? '')
  const type = sent.type === undefined ? null : parseType(sent.type, '/body/type')
  const isSameType = type === null || type.word === before.type
  return {
    ...applyStatus(before, sent, facts.now),
    slug: sent.slug ?? before.slug,
    name: sent.name ?? before.name,
    tagline: sent.tagline === undefined ? before.tagline : (sent.tagline ?? ''),
    description,
    descriptionHtml: description === before.description ? before.descriptionHtml : facts.descriptionHtml,
    type: isSameType ? before.type : type.word,
    typeLabel: isSameType ? before.typeLabel : type.label,
    isFeatured: sent.isFeatured ?? before.isFeatured,
    sortOrder: sent.sortOrder === undefined ? before.sortOrder : (sent.sortOrder ?? sortOrderDefault),
    apiPrefix: sent.apiPrefix === undefined ? before.apiPrefix : sent.apiPrefix,
    iconMediaId: sent.iconMediaId === undefined ? before.iconMediaId : sent.iconMediaId,
    coverMediaId: sent.coverMediaId === undefined ? before.coverMediaId : sent.coverMediaId,
    tags: sent.tags === undefined ? before.tags : distinct(sent.tags ?? []),
    links: sent.links === null ? noLinks : { ...before.links, ...sent.links },
    seo: sent.seo === null ? noSeo : { ...before.seo, ...sent.seo },
    ...endOfLife(before, sent, facts),
  }
}

/** Sending the current status again keeps the word that it was entered with. */
function applyStatus(before: ProductFields, sent: ProductChange, now: Date): ProductFields {
  if (sent.status === undefined) return before
  const { word, label } = parseStatus(sent.status, '/body/status')
  if (word === before.status) return before
  refuseStatusMove({ from: before.status, to: word, force: sent.force === true })
  return { ...before, status: word, statusLabel: label, ...milestonesAfter(before, word, now) }
}

/** Only a DEPRECATED product has an end. It is cleared when the product gets another status. */
function endOfLife(before: ProductFields, sent: ProductChange, { now, replacedById }: ChangeContext) {
  if (applyStatus(before, sent, now).status !== 'DEPRECATED') {
    for (const name of ['sunsetAt', 'replacedBy'] as const) {
      if (typeof sent[name] !== 'string') continue
      throw invalidField(`/body/${name}`, {
        code: 'unexpected',
        message: 'is allowed only for a product whose status is DEPRECATED',
      })
    }
    return { sunsetAt: null, replacedById: null }
  }
  return {
    sunsetAt:
      typeof sent.sunsetAt === 'string'
        ? parseSunset(before, sent.sunsetAt, now)
        : keptOr(sent.sunsetAt, before.sunsetAt),
    replacedById: typeof sent.replacedBy === 'string' ? replacedById : keptOr(sent.replacedBy, before.replacedById),
  }
}

/** Must be in the future, or unchanged: a form may send back what it has read. */
function parseSunset({ sunsetAt }: ProductFields, sent: string, now: Date): Date {
  return sunsetAt !== null && new Date(sent).getTime() === sunsetAt.getTime()
    ? sunsetAt
    : parseFutureTimestamp(sent, now, '/body/sunsetAt')
}

function keptOr<T>(sent: null | undefined, before: T | null): T | null {
  return sent === null ? null : before
}

function distinct(tags: string[]): string[] {
  return [...new Set(tags)]
}
