import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const consoleFolder = fileURLToPath(new URL('../../console/src', import.meta.url))
const packageStyles = fileURLToPath(new URL('../../node_modules/@mantine/core/styles', import.meta.url))

/** What a component is made of, whose styles it needs, too. */
const parts: Record<string, string[]> = {
  Checkbox: ['InlineInput'],
  PasswordInput: ['ActionIcon', 'Input'],
  TextInput: ['Input'],
}

test('the styles of every component of the console are loaded', () => {
  const used = new Set(
    globSync(`${consoleFolder}/**/*.tsx`)
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)])
      .flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
  )
  assert.ok(used.size > 4, [...used].join())
  const loaded = readFileSync(`${consoleFolder}/shell/styles.ts`, 'utf8')
  for (const name of [...used].flatMap((it) => [it, ...(parts[it] ?? [])]))
    if (existsSync(`${packageStyles}/${name}.css`)) assert.ok(loaded.includes(`/${name}.css'`), name)
})
