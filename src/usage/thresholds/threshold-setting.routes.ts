import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { access, base, tag } from '../access.ts'
import { ThresholdChange, ThresholdList } from './threshold-setting.schema.ts'
import { requireAscending, type ThresholdSettings } from './threshold-setting.service.ts'

const path = `${base}/thresholds` as const

export function thresholdRoutes(settings: ThresholdSettings): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'getUsageThresholds',
      tag,
      summary: 'Get the percentages of limits at which the tenant is notified',
      access,
      answers: { 200: ThresholdList },
      handle: async ({ scope }) => ok({ thresholds: await settings.list(scope) }),
    }),
    route({
      method: 'PUT',
      path,
      name: 'setUsageThresholds',
      tag,
      summary: 'Set the percentages of limits at which the tenant is notified',
      description:
        'When the uses in a window reach such a percentage, the event `usage.threshold.reached` is sent, and a mail to each administrator of the tenant whose address is verified: once for each limit.',
      access,
      body: ThresholdChange,
      answers: { 200: ThresholdList },
      rules: ({ body: { percents } }) => [() => requireAscending(percents)],
      handle: async ({ scope, body }) => ok({ thresholds: await settings.set(scope, body) }),
    }),
  ]
}
