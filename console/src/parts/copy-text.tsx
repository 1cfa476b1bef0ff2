import { useState } from 'react'
import { words } from './words.ts'

/** A text to copy whole. Where the browser does not allow that, it can be selected. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard?.writeText(text)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 2000)
  }
  return (
    <div className="copy">
      <span className="copy-label">{label}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by the keyboard, too */}
      <pre tabIndex={0}>{text}</pre>
      <button type="button" onClick={copy} aria-label={words.copyOf(label)}>
        {isCopied ? words.copied : words.copy}
      </button>
    </div>
  )
}
