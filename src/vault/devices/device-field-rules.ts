import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { refuseUnknownRegion } from '../servers/placement.service.ts'
import type { NewDevice } from './device.schema.ts'
import { refuseBadKey } from './device-keys.ts'

/** Rules of requests for keys, a place or both. */
export function deviceRules(scope: TenantScope, { publicKey, region }: Fitting<NewDevice>): FieldRule[] {
  return [ruleFor(publicKey, refuseBadKey), ruleFor(region, (name) => refuseUnknownRegion(scope, name))]
}
