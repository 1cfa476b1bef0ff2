import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { words } from './words.ts'

/** The browser's own dialog: it keeps the focus, closes by Escape and gives the focus back. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before the dialog leaves the document: afterwards the browser would not give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Not the button that closes it.
    element?.querySelector<HTMLElement>('input, select')?.focus()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={heading} onCancel={onClose}>
      <div className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="dialog-close" aria-label={words.close} onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  )
}
