import { isoOrNull } from '../../kernel/schemas.ts'
import type { Bot } from '../bot.rules.ts'
import { secondsInside } from '../bot.rules.ts'
import type { BotAnswer } from './bot.schema.ts'
import type { BotEvent } from './transitions.rules.ts'

export function botView(bot: Bot, now: Date): BotAnswer {
  return {
    id: bot.id,
    meetingId: bot.meetingId,
    orgId: bot.orgId,
    requestedBy: bot.requestedBy,
    platform: bot.platform,
    provider: bot.provider,
    displayName: bot.displayName,
    status: bot.status,
    reason: bot.reason,
    detail: bot.detail,
    joinAt: isoOrNull(bot.joinAt),
    occurrence: { platform: bot.platform, room: bot.room, start: bot.startKey === '' ? null : bot.startKey },
    autoLeave: bot.autoLeave,
    consent: bot.consent,
    chatAnswers: bot.chatAnswers,
    speed: bot.speed,
    attempt: bot.attempt,
    admittedAt: isoOrNull(bot.admittedAt),
    leftAt: isoOrNull(bot.leftAt),
    leftUnconfirmed: bot.watch.isLeftUnconfirmed ?? false,
    seconds: bot.attemptAdmittedAt === null ? bot.seconds : secondsInside(bot, now),
    gaps: bot.gaps,
    health: bot.health,
    runnerId: bot.runnerId,
    createdAt: bot.createdAt.toISOString(),
    endedAt: isoOrNull(bot.endedAt),
    revision: bot.revision,
  }
}

export function eventView({ at, ...event }: BotEvent) {
  return { at: at.toISOString(), ...event }
}
