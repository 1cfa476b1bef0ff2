// Generates a TypeScript client from openapi/api.json and compiles it.
import { readFileSync } from 'node:fs'
import { clientCompiles } from '../test/harness/generated-client.ts'

const document = JSON.parse(readFileSync(new URL('../openapi/api.json', import.meta.url), 'utf8'))
const { ok, output } = await clientCompiles(document)
console.log(ok ? 'The generated TypeScript client compiles.' : output)
if (!ok) process.exitCode = 1
