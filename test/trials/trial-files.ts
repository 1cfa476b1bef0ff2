import type { DocumentType } from '../../src/extraction/document-type.ts'
import { hostileDocuments } from '../harness/hostile-documents.ts'
import { linkingDocuments } from '../harness/linking-documents.ts'
import { mutatedDocument } from '../harness/mutated-documents.ts'

export type TrialFile = { kind: string; name: string; type: DocumentType; bytes: Uint8Array }

/** All hostile files, and so many damaged ones. */
export function* trialFiles(rounds: number): Generator<TrialFile> {
  for (const { name, type, make } of hostileDocuments) {
    const content = make()
    yield { kind: 'hostile', name, type, bytes: typeof content === 'string' ? Buffer.from(content) : content }
  }
  for (const target of ['/etc/passwd', 'file:///etc/passwd', '../../../../../../etc/passwd'])
    for (const { name, type, bytes } of linkingDocuments(target)) yield { kind: 'linking', name, type, bytes }
  for (let seed = 1; seed <= rounds; seed++) {
    const { type, bytes } = mutatedDocument(seed)
    yield { kind: `damaged ${type}`, name: `damaged ${type}, seed ${seed}`, type, bytes }
  }
}
