/** What several write at the same time, shown one after the other: the first as it comes, each other one once it is its turn. */
export function orderedOutput(writers: number, show: (text: string) => void) {
  const texts: string[] = Array.from({ length: writers }, () => '')
  const hasEnded = new Set<number>()
  let current = 0
  return {
    of: (writer: number) => (text: string) => {
      texts[writer] += text
      if (writer === current) show(text)
    },
    end: (writer: number): void => {
      hasEnded.add(writer)
      while (hasEnded.has(current)) {
        current++
        if (current < writers) show(texts[current] ?? '')
      }
    },
    texts: (): readonly string[] => texts,
  }
}
