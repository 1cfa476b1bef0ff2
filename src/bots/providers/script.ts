/** Something that was said or written, at its offset into the meeting. */
export type Line = { offsetMs: number; speaker: string; text: string; kind: 'speech' | 'chat' }
/** What a replay plays. */
export type Script = Line[]
