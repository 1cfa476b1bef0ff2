/**
 * What in this HTML is not of the plain kind that every browser reads alike and that can do nothing. It shares no code
 * with what makes the HTML: a grammar so narrow that only text, listed tags and quoted attributes fit into it.
 */
export function unsafeParts(html: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  let rest = html
  while (rest !== '') {
    const [piece] = text.exec(rest) ?? opening.exec(rest) ?? closing.exec(rest) ?? []
    if (piece === undefined) return [...faults, `not plain: ${rest.slice(0, 80)}`]
    rest = rest.slice(piece.length)
    const [, name = '', sent = ''] = opening.exec(piece) ?? []
    const [, closed] = closing.exec(piece) ?? []
    if (name !== '') faults.push(...faultsOfTag(name, sent))
    if (name !== '' && !empty.has(name)) open.push(name)
    if (closed !== undefined && open.pop() !== closed) faults.push(`</${closed}> closes nothing`)
  }
  return open.length === 0 ? faults : [...faults, `left open: ${open.join(' ')}`]
}

// A `>` does no harm in text; a `<` and a lone `&` would.
const text = /^(?:[^<&]|&(?:amp|lt|gt|quot|#x?[0-9a-fA-F]+);)+/
const opening = /^<([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)( \/)?>/
const closing = /^<\/([a-z][a-z0-9]*)>/

const empty = new Set(['br', 'hr', 'img', 'col', 'wbr'])
const known = new Set(
  'h1 h2 h3 h4 h5 h6 p div span section article aside blockquote hr br a abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var wbr pre ul ol li dl dt dd details summary table caption colgroup col thead tbody tfoot tr th td img figure figcaption'.split(
    ' ',
  ),
)
const values: Record<string, RegExp> = {
  id: /^c-[\p{L}\p{N}\p{M}_-]+$/u,
  lang: /^[\w-]+$/,
  dir: /^(ltr|rtl|auto)$/,
  title: /^/,
  alt: /^/,
  rel: /^noopener nofollow ugc$/,
  class: /^language-[\w+#.-]+$/,
  align: /^(left|center|right)$/,
  scope: /^(row|col)(group)?$/,
  loading: /^lazy$/,
  type: /^[1aAiI]$/,
  start: /^-?\d+$/,
  datetime: /^[\dTZ:.+ -]+$/,
  open: /^$/,
  width: /^\d+$/,
  height: /^\d+$/,
  colspan: /^\d+$/,
  rowspan: /^\d+$/,
}

function faultsOfTag(name: string, sent: string): string[] {
  if (!known.has(name)) return [`<${name}>`]
  return [...sent.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)].flatMap(([, attribute = '', escaped = '']) => {
    const value = unescaped(escaped)
    const isFine =
      attribute === 'href'
        ? name === 'a' && leadsSomewhereFine(value, /^(https?|mailto):$/)
        : attribute === 'src'
          ? name === 'img' && leadsSomewhereFine(value, /^https?:$/)
          : values[attribute]?.test(value)
    return isFine ? [] : [`<${name} ${attribute}="${escaped}">`]
  })
}

/** As a browser reads it on a page of ours: another host only behind a scheme that says so. */
function leadsSomewhereFine(address: string, schemes: RegExp): boolean {
  const ours = 'http://ours.example'
  if (!URL.canParse(address, `${ours}/a/b`)) return false
  const { protocol, origin } = new URL(address, `${ours}/a/b`)
  return origin === ours || (schemes.test(protocol) && /^[a-z]+:/i.test(address))
}

function unescaped(value: string): string {
  return value
    .replace(/&#(x?)([0-9a-fA-F]+);/g, (_, hex, digits) => String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
