import type { Scope } from '../../storage/scope.ts'

/** What others need to know of an uploaded file to show it. Sizes in bytes and pixels. */
export type MediaLine = {
  id: string
  filename: string
  mimeType: string
  kind: string
  size: number
  sha256: string
  width: number | null
  height: number | null
  alt: string | null
  url: string
  variants: Record<string, { url: string; width: number; height: number; size: number; mimeType: string }>
}

/** Who uses a file, for example `{ kind: 'product', id, label: 'vault-vpn' }`. */
export type MediaUser = { kind: 'product' | 'page' | 'slot' | 'block' | 'doc' | 'download'; id: string; label: string }

/** `texts`: whatever else it shows, such as Markdown. Files whose addresses stand in there are used by it, too. */
export type MediaUse = MediaUser & { texts?: unknown }

export type MediaLibrary = {
  /** Those of the ids that there are. */
  find(scope: Scope, mediaIds: string[]): Promise<Map<string, MediaLine>>
  /**
   * Says which files `user` uses from now on; an empty list and no texts when it is removed. A file in use cannot be
   * deleted. An address in the texts where no file is means nothing.
   * Refuses with VALIDATION_ERROR naming the id of a file that is not there.
   */
  setUses(tx: Scope, user: MediaUse, mediaIds: string[]): Promise<void>
}

/** The ids of uploaded files by the SHA-256 of their content, as far as there are such files. */
export type FindMediaByDigest = (scope: Scope, digests: string[]) => Promise<Map<string, string>>
