// Runs inside the meeting page: reports what it shows, by the table of selectors, whenever that changes.
// It reads only; `report` is the runner's.
window.atriumWatch = (surface, report) => {
  const keys = new WeakMap()
  let count = 0
  const keyOf = (item) => {
    if (!keys.has(item)) keys.set(item, `${++count}`)
    return keys.get(item)
  }
  const isVisible = (item) => item.checkVisibility()
  const textOf = (item, selector) => item.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim() ?? ''

  const line = (parts) => (item) => {
    const text = textOf(item, parts.text)
    if (parts.author !== null) return { key: keyOf(item), author: textOf(item, parts.author), text }
    const colon = text.indexOf(': ')
    return { key: keyOf(item), author: text.slice(0, Math.max(0, colon)), text: text.slice(colon < 0 ? 0 : colon + 2) }
  }
  const all = (selector) => [...document.querySelectorAll(selector)]
  const others = () =>
    all(surface.people.tile).filter((tile) => !surface.people.self || !tile.matches(surface.people.self))

  const look = () => ({
    stage: surface.stages.find(({ selector }) => all(selector).some(isVisible))?.stage ?? 'unknown',
    people: others().map((tile) => ({
      name: textOf(tile, surface.people.name),
      isSpeaking: tile.matches(surface.people.speaking),
    })),
    messages: all(surface.chat.message.item).map(line(surface.chat.message)).slice(-100),
    captions: all(surface.captions.line.item).map((item) => ({
      ...line(surface.captions.line)(item),
      isFinal: surface.captions.line.final !== null && item.matches(surface.captions.line.final),
    })),
  })

  let latest = ''
  let isDue = false
  const tell = () => {
    isDue = false
    const sight = look()
    const text = JSON.stringify(sight)
    if (text === latest) return
    latest = text
    report(sight)
  }
  const soon = () => {
    if (isDue) return
    isDue = true
    setTimeout(tell, 50)
  }
  new MutationObserver(soon).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
  // What only a style changes, the observer does not see.
  setInterval(soon, 1_000)
  soon()
}
