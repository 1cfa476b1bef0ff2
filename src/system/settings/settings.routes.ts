import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const settingSources = ['ENVIRONMENT', 'DATA_FOLDER', 'DEFAULT'] as const

const Setting = Type.Object(
  {
    name: Type.String({ description: 'The variable.', examples: ['PORT'] }),
    value: Nullable(
      Type.String({ examples: ['8080'] }),
      'Null: not set, or a secret. Of an address only the host and the path are shown.',
    ),
    source: StringEnum(settingSources, { description: 'DATA_FOLDER: made at the first start and kept there.' }),
    isSecret: Type.Boolean({ examples: [false] }),
    meaning: Type.String({ examples: ['Port to listen on; 0 chooses a free one.'] }),
  },
  { title: 'Setting' },
)

const SettingWarning = Type.Object(
  {
    code: Type.String({ examples: ['NO_MAIL_SERVER'] }),
    message: Type.String({ examples: ['Mails wait in the outbox.'] }),
    fix: Type.String({ examples: ['Set SMTP_URL and MAIL_FROM, and restart.'] }),
  },
  { title: 'SettingWarning' },
)

const Settings = StrictObject({
  version: Type.String({ examples: ['0.1.0'] }),
  nodeVersion: Type.String({ examples: ['24.21.0'] }),
  settings: Type.Array(Setting),
  warnings: Type.Array(SettingWarning),
})

/** How this node is configured. It holds no secret. */
export type SettingReport = {
  settings: {
    name: string
    value: string | null
    source: (typeof settingSources)[number]
    isSecret: boolean
    meaning: string
  }[]
  warnings: { code: string; message: string; fix: string }[]
}

export type SettingDeps = { version: string; settingReport: SettingReport }

export function settingRoutes({ version, settingReport }: SettingDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/platform/admin/settings',
      name: 'getSettings',
      tag: 'Administration',
      summary: 'Get the settings of this node',
      description:
        'What is configured, from where, and what should be changed. Secrets are never shown. Settings are read from the environment at the start; they cannot be changed here.',
      access: admin('VIEWER'),
      answers: { 200: Settings },
      handle: async () => ok({ version, nodeVersion: process.versions.node, ...settingReport }),
    }),
  ]
}
