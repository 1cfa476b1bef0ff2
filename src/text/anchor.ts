/** Before every id in rendered text: with the hyphen in it, no id can pass for a name of the page's own scripts. */
const prefix = 'c-'
const lengthMax = 100

/** An id of the text as it stands in the page; the same for one that stood there before. Null where nothing is left. */
export function htmlId(id: string): string | null {
  const bare = id.startsWith(prefix) ? id.slice(prefix.length) : id
  const kept = bare.replace(/[^\p{L}\p{N}\p{M}_-]/gu, '').slice(0, lengthMax)
  return kept === '' ? null : prefix + kept
}

/** Returns a function that gives each heading of one text a unique id, in the style of GitHub. */
export function headingIds(): (heading: string) => string {
  const taken = new Set<string>()
  // The next number to try, so that ten thousand equal headings do not each count from one.
  const counts = new Map<string, number>()
  return (heading) => {
    const words = heading.trim().toLowerCase().replace(/\s/gu, '-')
    const first = htmlId(prefix + words) ?? `${prefix}section`
    let count = counts.get(first) ?? 0
    let id = count === 0 ? first : `${first}-${count}`
    while (taken.has(id)) {
      count += 1
      id = `${first}-${count}`
    }
    counts.set(first, count)
    taken.add(id)
    return id
  }
}
