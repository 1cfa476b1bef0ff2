import type { Static } from 'typebox'
import { Id, Nullable, SingleLine, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { architectures, downloadKinds, platforms } from './download.rules.ts'

const VersionId = Nullable(Id, 'The version it belongs to, or null. Downloads of a yanked version answer 404.')
const Kind = StringEnum(downloadKinds)
const Platform = StringEnum(platforms, { description: 'any if absent.' })
const Arch = StringEnum(architectures, { description: 'any if absent.' })
const FileName = Nullable(
  SingleLine({ lettersMax: 200, example: 'atrium-editing-1.4.0.tgz' }),
  'Taken from the uploaded file if absent.',
)
const SizeBytes = Nullable(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1_048_576] }),
  'Taken from the uploaded file if absent.',
)
const Sha256 = Nullable(
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  'Lower-case hex. Taken from the uploaded file if absent.',
)
const Signature = Nullable(
  Type.String({ maxLength: 4000, examples: ['RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0='] }),
  'The publisher’s signature, as text.',
)
const PackageManager = Nullable(SingleLine({ lettersMax: 40, example: 'npm' }))
const InstallCommand = Nullable(SingleLine({ lettersMax: 500, example: 'npm install @example/editing' }))
const RequiresLicense = Type.Boolean({
  description: 'Whether the download requires a license key of the product.',
  examples: [false],
})
const Order = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Smaller comes first; 100 if absent.',
  examples: [100],
})

const change = {
  versionId: Type.Optional(VersionId),
  kind: Type.Optional(Kind),
  platform: Type.Optional(Platform),
  arch: Type.Optional(Arch),
  fileName: Type.Optional(FileName),
  sizeBytes: Type.Optional(SizeBytes),
  sha256: Type.Optional(Sha256),
  signature: Type.Optional(Signature),
  mediaId: Type.Optional(Nullable(Id, 'An uploaded file. Cannot be combined with `externalUrl`.')),
  externalUrl: Type.Optional(
    Nullable(
      Type.String({ maxLength: 2000, examples: ['https://downloads.example.com/atrium-editing-1.4.0.tgz'] }),
      'An https address. Cannot be combined with `mediaId`.',
    ),
  ),
  packageManager: Type.Optional(PackageManager),
  installCommand: Type.Optional(InstallCommand),
  requiresLicense: Type.Optional(RequiresLicense),
  isActive: Type.Optional(Type.Boolean({ description: 'false hides it from the public.', examples: [true] })),
  order: Type.Optional(Order),
}

export const NewDownload = Type.Object(
  { ...change, kind: Kind },
  {
    additionalProperties: false,
    // An example can show only one of the three ways to get the file.
    examples: [
      {
        kind: 'SDK',
        platform: 'any',
        fileName: 'atrium-editing-1.4.0.tgz',
        externalUrl: 'https://downloads.example.com/atrium-editing-1.4.0.tgz',
        packageManager: 'npm',
        installCommand: 'npm install @example/editing',
      },
    ],
  },
)
export type NewDownload = Static<typeof NewDownload>
export const DownloadChange = StrictObject(change)
export type DownloadChange = Static<typeof DownloadChange>

const shown = {
  id: Id,
  kind: Kind,
  platform: Platform,
  arch: Arch,
  fileName: FileName,
  sizeBytes: SizeBytes,
  sha256: Sha256,
  signature: Signature,
  packageManager: PackageManager,
  installCommand: InstallCommand,
  requiresLicense: RequiresLicense,
  order: Order,
}

export const PublicDownload = Type.Object(
  {
    ...shown,
    version: Nullable(Type.String({ examples: ['1.4.0'] }), 'null: it belongs to no version.'),
    url: Nullable(
      Type.String({ examples: ['/products/editing-sdk/downloads/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] }),
      'Redirects to the file and counts the download. null: there is only an install command.',
    ),
  },
  { title: 'ProductDownload' },
)
export type PublicDownload = Static<typeof PublicDownload>

export const DownloadView = Type.Object(
  {
    ...shown,
    productId: Id,
    versionId: VersionId,
    mediaId: Nullable(Id),
    externalUrl: Nullable(Type.String({ examples: ['https://downloads.example.com/atrium-editing-1.4.0.tgz'] })),
    isActive: Type.Boolean({ examples: [true] }),
    revision: Type.Integer({ description: 'Increases with each change.', examples: [1] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'AdminProductDownload' },
)

export const RedirectQuery = StrictObject({
  licenseKey: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        'For clients that cannot send a header. Prefer the header `X-License-Key`, which keeps the key out of URLs.',
      examples: ['ATR-7K2M9-QX4RT-0B8WC-3NHZF-5P6VD'],
    }),
  ),
})
