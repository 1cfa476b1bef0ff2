import { words } from './words.ts'
export const plans = [
  ['TRIAL', words.trial],
  ['STARTER', words.starter],
  ['PRO', words.pro],
  ['ENTERPRISE', words.enterprise],
] as const
