export const plans = [
  ['TRIAL', 'Trial'],
  ['STARTER', 'Starter'],
  ['PRO', 'Pro'],
  ['ENTERPRISE', 'Enterprise'],
] as const
