import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'

export type Values = Record<string, string>

/** The texts of a form. `field('name')` gives what a `Field` needs. */
export function useValues<Names extends Values>(initial: Names, errors: Record<string, string> = {}) {
  const [values, setValues] = useState(initial)
  const set = (name: keyof Names, value: string) => setValues((before) => ({ ...before, [name]: value }))
  const field = (name: string & keyof Names) => ({
    value: values[name] as string,
    onChange: (value: string) => set(name, value),
    error: errors[name],
  })
  return { values, set, field, reset: () => setValues(initial) }
}

type FieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: string
  type?: string
  isRequired?: boolean
  placeholder?: string
}

export function Field({ label, value, onChange, error, hint, isRequired, type = 'text', placeholder }: FieldProps) {
  return (
    <TextInput
      label={label}
      value={value}
      type={type}
      onChange={({ target }) => onChange(target.value)}
      error={error ?? null}
      description={hint}
      required={isRequired === true}
      {...(placeholder ? { placeholder } : {})}
      autoComplete="off"
    />
  )
}

type ChoiceProps = Pick<FieldProps, 'label' | 'value' | 'onChange' | 'hint' | 'error'> & {
  /** Value and what is shown. */
  options: readonly (readonly [value: string, title: string])[]
}

/** The browser's own list: by keyboard, on phones and under every page policy. */
export function Choice({ label, value, onChange, options, hint, error }: ChoiceProps) {
  const id = useId()
  return (
    <div className="choice">
      <label htmlFor={id}>{label}</label>
      {hint && <p id={`${id}-hint`}>{hint}</p>}
      <select
        id={id}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        aria-invalid={error !== undefined}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map(([option, title]) => (
          <option key={option} value={option}>
            {title}
          </option>
        ))}
      </select>
      {error && <p className="choice-error">{error}</p>}
    </div>
  )
}
