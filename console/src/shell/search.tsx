import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { atrium } from '../doors/atrium.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { hrefOf, navigate } from './address.ts'
import { screenList } from './screen-list.ts'
import { type Found, kindTitles, pathOf } from './search-results.ts'
import { words } from './words.ts'

const typingMs = 200

/** Anything by its id, e-mail, slug, key or name; and the screens themselves. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [q, setQ] = useState('')
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useQuery({
    queryKey: ['system.searchPlatform', q],
    queryFn: () => atrium.system.searchPlatform({ q }),
    enabled: q !== '',
    // What was typed may be a secret key.
    gcTime: 0,
  })
  const results = [...screensFor(q), ...(found.data?.results ?? [])]
  const open = (path: string) => {
    onClose()
    navigate(path)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && results[0]) open(pathOf(results[0]))
    if (event.key === 'ArrowDown') list.current?.querySelector('a')?.focus()
  }
  return (
    <Dialog title={words.search} onClose={onClose}>
      <TextInput
        label={words.searchField}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKey}
      />
      {found.error && <Failure error={found.error} />}
      <p role="status" className="dim">
        {q === '' ? words.searchHint : found.isFetching ? words.searching : words.found(results.length)}
      </p>
      <ul className="results" ref={list}>
        {results.map((result) => (
          <li key={`${result.kind} ${result.id}`}>
            <a
              href={hrefOf(pathOf(result))}
              onClick={(event) => {
                event.preventDefault()
                open(pathOf(result))
              }}
            >
              <span className="dim">{kindTitles[result.kind]}</span> {result.name}{' '}
              {result.detail && <span className="dim">{result.detail}</span>}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function screensFor(q: string): Found[] {
  if (q === '') return []
  return screenList
    .map(({ path, group }) => ({ path, group, title: words.screens[path] }))
    .filter(({ title, group }) => group !== null && title.toLowerCase().startsWith(q.toLowerCase()))
    .map(({ path, title }) => ({ kind: 'SCREEN', id: path, tenantId: null, name: title, detail: null }))
}
