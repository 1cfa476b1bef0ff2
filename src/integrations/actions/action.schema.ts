import type { Static } from 'typebox'
import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { Target } from '../../providers/provider.ts'
import { type Action, actionKinds, actionNames, actionStatuses, askedActions } from './action.rules.ts'

const TargetSchema = Type.Unsafe<Target>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 300 },
  maxProperties: 5,
  description:
    'By provider: slack `{channelId}`, microsoft `{teamId, channelId}`, github `{repository}`, linear `{teamId}`, atlassian `{projectId, issueTypeId?}`, notion `{pageId}`, google `{folderId?}`, hubspot none. Absent: the one in the settings of the feature.',
  examples: [{ repository: 'octocat/hello-world' }],
})

export const NewAction = StrictObject({
  action: StringEnum(askedActions),
  meetingId: Type.Optional({ ...Id, description: 'For `post_summary`, `export_meeting` and `log_meeting`.' }),
  taskId: Type.Optional({ ...Id, description: 'For `create_issue`.' }),
  target: Type.Optional(TargetSchema),
})
export type NewAction = Static<typeof NewAction>

const Subject = StrictObject({ type: StringEnum(['meeting', 'task', 'answer'] as const), id: Id })

const ActionAnswer = Type.Object(
  {
    id: Id,
    integrationId: Id,
    action: StringEnum(actionNames),
    subject: Subject,
    target: TargetSchema,
    status: StringEnum(actionStatuses, {
      description: '`uncertain`: an answer was lost. Before the next attempt we look whether this one succeeded.',
    }),
    attempts: Type.Integer({ examples: [1] }),
    externalId: Nullable(Type.String({ examples: ['1347'] })),
    externalUrl: Nullable(Type.String({ examples: ['https://github.com/octocat/hello-world/issues/1347'] })),
    cause: Nullable(Type.String({ examples: ['UNKNOWN_OUTCOME'] }), 'Why it failed, or what it waits for.'),
    nextTryAt: Nullable(Timestamp),
    createdAt: Timestamp,
  },
  { title: 'IntegrationAction', additionalProperties: false },
)
export const ActionDetail = StrictObject({ action: ActionAnswer })
export const ActionList = StrictObject({ actions: Type.Array(ActionAnswer), pagination: PaginationSchema })
export const ActionQuery = StrictObject({
  ...PageQuery,
  orgId: Type.Optional({
    ...Id,
    description: 'The actions of this organization’s integrations. Absent: of your own integrations.',
  }),
  integrationId: Type.Optional(Id),
  status: Type.Optional(StringEnum(actionStatuses)),
})

export function actionView(action: Action): Static<typeof ActionAnswer> {
  const { id, integrationId, target, status, attempts, externalId, externalUrl, cause, nextTryAt, createdAt } = action
  return {
    id,
    integrationId,
    action: action.action,
    subject: { type: actionKinds[action.action].subject, id: action.subjectId },
    target,
    status,
    attempts,
    externalId,
    externalUrl,
    cause,
    nextTryAt: isoOrNull(nextTryAt),
    createdAt: createdAt.toISOString(),
  }
}
