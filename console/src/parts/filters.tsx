import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Choice } from './fields.tsx'
import { words } from './words.ts'

export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className="filters" aria-label={words.filters}>
      {children}
    </search>
  )
}

const typingMs = 300

/** Asks once nobody has typed for a moment. */
export function FilterField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { label, value, onChange } = props
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  // A link may have changed the address.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value)
  }, [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onChange` is a new function each time
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      ref={input}
      label={label}
      value={typed}
      autoComplete="off"
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}

type ChoiceProps = {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly (readonly [string, string])[]
}

export function FilterChoice(props: ChoiceProps) {
  return <Choice {...props} />
}

/** A day, as `2026-11-25`. */
export function FilterDate(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { label, value, onChange } = props
  return <TextInput type="date" label={label} value={value} onChange={({ target }) => onChange(target.value)} />
}
