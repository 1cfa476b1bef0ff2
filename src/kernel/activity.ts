/** How often something happened today (UTC) so far, and in the seven days before today. */
export type Activity = { today: number; lastWeek: number }

export type ActivityWindow = { today: Date; weekAgo: Date }

const dayMs = 24 * 3600 * 1000

export function activityWindow(now: Date): ActivityWindow {
  const todayMs = Math.floor(now.getTime() / dayMs) * dayMs
  return { today: new Date(todayMs), weekAgo: new Date(todayMs - 7 * dayMs) }
}
