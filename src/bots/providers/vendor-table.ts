import type { VendorName } from '../vendor.rules.ts'
import { attendee } from './attendee.ts'
import { recall } from './recall.ts'
import type { VendorAdapter } from './vendor.ts'
import { vexa } from './vexa.ts'

export const vendorTable: Readonly<Record<VendorName, VendorAdapter>> = { recall, attendee, vexa }
