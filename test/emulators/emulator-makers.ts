import { atlassianEmulator } from './atlassian/atlassian.ts'
import type { Emulator, ProviderName, World } from './emulator.ts'
import { githubEmulator } from './github/github.ts'
import { googleEmulator } from './google/google.ts'
import { hubspotEmulator } from './hubspot/hubspot.ts'
import { linearEmulator } from './linear/linear.ts'
import { microsoftEmulator } from './microsoft/microsoft.ts'
import { notionEmulator } from './notion/notion.ts'
import { slackEmulator } from './slack/slack.ts'
import { zoomEmulator } from './zoom/zoom.ts'

export const emulatorMakers: Record<ProviderName, (world: World) => Emulator> = {
  google: googleEmulator,
  microsoft: microsoftEmulator,
  slack: slackEmulator,
  zoom: zoomEmulator,
  atlassian: atlassianEmulator,
  github: githubEmulator,
  linear: linearEmulator,
  notion: notionEmulator,
  hubspot: hubspotEmulator,
}
