import type { Platform } from '../protocol.ts'
import { jitsiSurface } from './jitsi.ts'
import { pageSurface } from './page.ts'
import type { Surface } from './surface.ts'

export const surfaces: Record<Platform, Surface> = { page: pageSurface, jitsi: jitsiSurface }
