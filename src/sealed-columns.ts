import type { SealedColumn } from './backup/sealed.ts'
import { sealedAnswers } from './http/idempotency.ts'
import { sealedMails } from './identity/index.ts'
import { sealedLicenseKeys } from './licensing/index.ts'
import { sealedWebhookSecrets } from './meetings/index.ts'
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
