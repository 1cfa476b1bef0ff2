import { Fragment, type ReactNode } from 'react'

type Props = {
  text: string
  /** Each gets the text between its tags. */
  parts: Record<string, (text: string) => ReactNode>
}

/** A sentence with elements in it: `Ask <name/>, or <link>read the log</link>.` */
export function Rich({ text, parts }: Props) {
  let end = 0
  const pieces: ReactNode[] = []
  for (const { 0: tag, 1: name = '', 2: inside = '', index } of text.matchAll(/<(\w+)(?:\/>|>(.*?)<\/\1>)/g)) {
    pieces.push(text.slice(end, index), <Fragment key={index}>{parts[name]?.(inside)}</Fragment>)
    end = index + tag.length
  }
  return [...pieces, text.slice(end)]
}
