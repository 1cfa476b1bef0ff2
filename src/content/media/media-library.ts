import type { Scope } from '../../storage/scope.ts'

/** What others need to show an uploaded file. Sizes in bytes and pixels. */
export type MediaSummary = {
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

/** `texts`: other content, such as Markdown. Files whose addresses occur in it count as used, too. */
export type MediaUse = MediaUser & { texts?: unknown }

export type MediaLibrary = {
  /** Finds the files that exist. */
  find(scope: Scope, mediaIds: string[]): Promise<Map<string, MediaSummary>>
  /**
   * Records which files `user` uses from now on; pass an empty list and no texts when it is removed. A file in use cannot
   * be deleted. Addresses of missing files in the texts are ignored.
   * Refuses with VALIDATION_ERROR for the id of a missing file.
   */
  setUses(tx: Scope, user: MediaUse, mediaIds: string[]): Promise<void>
}

/** The ids of uploaded files by the SHA-256 of their content; missing files are left out. */
export type FindMediaByDigest = (scope: Scope, digests: string[]) => Promise<Map<string, string>>
