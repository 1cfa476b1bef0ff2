import sanitizeHtml from 'sanitize-html'
import { imageSchemes, linkSchemes, safeAddress } from './address.ts'
import { htmlId } from './anchor.ts'

type Attributes = Record<string, string>
/** The value to keep, or null to remove the attribute. */
type Rule = (value: string) => string | null

const anyText: Rule = (value) => value
const oneOf =
  (...words: string[]): Rule =>
  (value) =>
    words.find((word) => word === value.toLowerCase()) ?? null
const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : null
const amount = matching(/^\d{1,4}$/)

const onAll: Record<string, Rule> = {
  id: htmlId,
  lang: matching(/^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8}){0,3}$/),
  dir: oneOf('ltr', 'rtl', 'auto'),
  title: anyText,
}
const cell = { align: oneOf('left', 'center', 'right'), colspan: amount, rowspan: amount }
const onTag: Record<string, Record<string, Rule>> = {
  a: { href: (value) => onPage(value) ?? safeAddress(value, linkSchemes)?.address ?? null },
  img: {
    src: (value) => safeAddress(value, imageSchemes)?.address ?? null,
    alt: anyText,
    width: amount,
    height: amount,
    loading: oneOf('lazy'),
  },
  // No other class: the surrounding page's classes could place the text over its buttons.
  code: { class: (value) => value.split(/\s+/).find((name) => /^language-[\w+#.-]{1,40}$/.test(name)) ?? null },
  ol: { start: matching(/^-?\d{1,9}$/), type: matching(/^[1aAiI]$/) },
  details: { open: () => '' },
  th: { ...cell, scope: oneOf('row', 'col', 'rowgroup', 'colgroup') },
  td: cell,
  time: { datetime: matching(/^[\dTZ:.+ -]{1,40}$/) },
}

const rulesOf = new Map(Object.entries(onTag).map(([tag, rules]) => [tag, { ...onAll, ...rules }]))

const tags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'span', 'section', 'article', 'aside', 'blockquote', 'hr', 'br'],
  ...['a', 'abbr', 'b', 'cite', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp', 'small', 'strong'],
  ...['sub', 'sup', 'time', 'u', 'var', 'wbr', 'pre', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
  ...[
    'table',
    'caption',
    'colgroup',
    'col',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'img',
    'figure',
    'figcaption',
  ],
]

// Browsers parse the content of these by other rules than we do, so it is removed with the tag.
const withContent = [
  ...['script', 'style', 'textarea', 'option', 'select', 'noscript', 'template', 'title', 'xmp', 'iframe', 'noembed'],
  ...['noframes', 'plaintext', 'svg', 'math', 'object', 'embed', 'audio', 'video', 'canvas', 'frameset'],
]

const options: sanitizeHtml.IOptions = {
  allowedTags: tags,
  allowedAttributes: {
    '*': Object.keys(onAll),
    ...Object.fromEntries(Object.entries(onTag).map(([tag, rules]) => [tag, Object.keys(rules)])),
    a: ['href', 'rel'],
  },
  allowedSchemes: [...linkSchemes],
  allowedSchemesByTag: { img: [...imageSchemes] },
  allowProtocolRelative: false,
  nonTextTags: withContent,
  // Deeper than any text goes, and no deeper than a browser's own limit of 512.
  nestingLimit: 60,
  parseStyleAttributes: false,
  transformTags: { '*': (tagName, sent) => ({ tagName, attribs: keptOf(tagName, sent) }) },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs['src'] === undefined,
}

// The second pass nearly always changes nothing.
const passesMax = 5

/** Keeps only what the lists above name. Cleaning the result again changes nothing. */
export function clean(html: string): string {
  let cleaned = sanitizeHtml(html, options)
  // What goes may have kept elements open that close by themselves once it is gone: what is left is read as it is now.
  for (let pass = 1; pass < passesMax; pass++) {
    const again = sanitizeHtml(cleaned, options)
    if (again === cleaned) break
    cleaned = again
  }
  return cleaned
}

function keptOf(tag: string, sent: Attributes): Attributes {
  const kept: Attributes = {}
  const rules = rulesOf.get(tag) ?? onAll
  for (const [name, value] of Object.entries(sent)) {
    const result = Object.hasOwn(rules, name) ? rules[name]?.(value) : null
    if (typeof result === 'string') kept[name] = result
  }
  // The words of others give no ranking to the places they link to, and no handle on the page to what opens there.
  if (tag === 'a' && kept['href'] !== undefined && safeAddress(kept['href'], linkSchemes)?.isOutside)
    kept['rel'] = 'noopener nofollow ugc'
  return kept
}

/** A link to an id of the same text goes to that id as it is spelled here. */
function onPage(href: string): string | null {
  const fragment = /^#(.+)$/.exec(href.trim())?.[1]
  if (fragment === undefined) return null
  const id = htmlId(decoded(fragment))
  return id === null ? null : `#${id}`
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
