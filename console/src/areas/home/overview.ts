import type { Output } from '@atrium/sdk/admin'

export type Overview = Output<'getPlatformOverview'>['overview']
