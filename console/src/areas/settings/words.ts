import { catalog } from '../../words/catalog.ts'

export const words = catalog({
  dataFolder: 'data folder',
  settings: 'Settings',
  settingsHint:
    'What is configured, and from where. Settings are read from the environment at the start; change them there.',
  nameOrMeaning: 'Name or meaning',
  name: 'Name',
  value: 'Value',
  from: 'From',
  meaning: 'Meaning',
  setAndSecret: 'set, and secret',
  none: 'none',
  snapshot: 'Snapshot of the embedded database',
  makeSnapshot: 'Make a snapshot',
  folderName: 'Name of the folder',
  folderHint: 'Made beside the database, in the data folder.',
  environment: 'environment',
  default: 'default',
  versions: (version: string, nodeVersion: string) => `Atrium ${version} on Node ${nodeVersion}`,
  snapshotMade: (folder: string, size: string, pausedMs: number) =>
    `${folder}: ${size}; writing paused for ${pausedMs} ms.`,
})
