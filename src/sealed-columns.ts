import { sealedBotLinks, sealedVendorKeys } from './bots/index.ts'
import { sealedDkimKeys, sealedEmailPasswords } from './email/index.ts'
import { sealedAnswers } from './http/idempotency.ts'
import { sealedWebhookSecrets } from './inbound/index.ts'
import { sealedGrants } from './integrations/index.ts'
import { sealedLicenseKeys } from './licensing/index.ts'
import { sealedInvitations } from './mail-commands/index.ts'
import { sealedMails } from './mails/index.ts'
import { sealedJoinUrls } from './meetings/index.ts'
import type { SealedColumn } from './storage/sealed-column.ts'
import { sealedDeviceKeys } from './vault/index.ts'
import { sealedSigningSecrets } from './webhooks/index.ts'

/** All columns of sealed values, for the verification of a backup. A test finds a column that is missing here. */
export const sealedColumns: SealedColumn[] = [
  sealedAnswers,
  sealedMails,
  ...sealedEmailPasswords,
  sealedDkimKeys,
  sealedLicenseKeys,
  sealedJoinUrls,
  sealedInvitations,
  sealedBotLinks,
  sealedVendorKeys,
  ...sealedDeviceKeys,
  ...sealedWebhookSecrets,
  ...sealedSigningSecrets,
  ...sealedGrants,
]
