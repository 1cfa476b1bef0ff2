import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { meetingAccess, tag } from '../access.ts'
import { personalityNames } from '../meetings/meeting.rules.ts'
import { personalities } from './personality.rules.ts'

const PersonalityAnswer = StrictObject({
  name: StringEnum(personalityNames),
  isDefault: Type.Boolean({ examples: [true] }),
  tone: Type.String({ examples: ['Warm: gives credit to people and encourages.'] }),
  section: Nullable(
    Type.String({ examples: ['What went well, who helped whom, and a gentle next step.'] }),
    'The subject of the extra section in a detailed summary. Null: there is no extra section.',
  ),
})

export function personalityRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/assistant/v1/personalities',
      name: 'listPersonalities',
      tag,
      summary: 'List personalities',
      description:
        'A personality changes the tone of summaries and answers, and one extra section of detailed summaries. It never changes facts or length.',
      access: meetingAccess,
      answers: { 200: StrictObject({ personalities: Type.Array(PersonalityAnswer) }) },
      handle: async () => ok({ personalities }),
    }),
  ]
}
