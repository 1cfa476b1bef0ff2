import { sealedMails } from './email/index.ts'
import { sealedAnswers } from './http/idempotency.ts'
import { sealedWebhookSecrets } from './inbound/index.ts'
import { sealedLicenseKeys } from './licensing/index.ts'
import type { SealedColumn } from './storage/sealed-column.ts'
import { sealedDeviceKeys } from './vault/index.ts'
import { sealedSigningSecrets } from './webhooks/index.ts'

/** Every column of sealed values, for the check of a backup; a test finds the one that is missing here. */
export const sealedColumns: SealedColumn[] = [
  sealedAnswers,
  sealedMails,
  sealedLicenseKeys,
  ...sealedDeviceKeys,
  ...sealedWebhookSecrets,
  ...sealedSigningSecrets,
]
