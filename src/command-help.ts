/** What `--help` prints, for each command of an operator. The agent has its own. */
const settings = `Settings are read from the environment, as by the service (docs/configuration.md):

  DATA_DIR       the data folder with the keys and the embedded database; default: data
  DATABASE_URL   the address of a PostgreSQL server, instead of the embedded database
  MASTER_KEY     the master key, if it is not in the data folder`

const adminKeySetting =
  '  ADMIN_KEY      the admin key, if it is not in the data folder; for the embedded database of a running service'

const file = '  FILE           relative to the folder in which you run npm'
const unsealed = '  --unsealed     do not check the seal: for files that nobody else could have changed'
const exits = 'Exits with 0, or with 1 and a sentence that says what is wrong. More: docs/backup.md'

export const commandHelp = {
  start: `npm start

Starts the service. It takes no arguments.

${settings}
  HOST, PORT     where to listen; default: 127.0.0.1, 8080

All settings: docs/configuration.md. The first steps: README.md`,

  atrium: `npm run atrium -- open

Prints a link that opens the console, signed in as OWNER. It works once, for 30 minutes. The service must be running.

  --url ADDRESS  the address of the service, such as https://atrium.example.com; default: where DATA_DIR, or HOST and PORT,
                 say that it listens

Settings are read from the environment, as by the service (docs/configuration.md):

  DATA_DIR       the data folder with the admin key; default: data
  ADMIN_KEY      the admin key, if it is not in the data folder

Exits with 0, or with 1 and a sentence that says what is wrong. More: docs/console-door.md`,

  backup: `npm run backup -- FILE

Writes every row of the database into one file, also while the service runs. The file gets its name when it is complete, and
replaces an older one. The master key and uploaded files are not in it.

${file}
  --unsealed     do not seal the file, where there is no master key

${settings}
${adminKeySetting}

${exits}`,

  restore: `npm run restore -- FILE

Restores a backup into an empty database: a new data folder with the master key of the backup, or a new PostgreSQL database.
Stop the service first. A restore that fails leaves no row behind.

${file}
${unsealed}

${settings}

${exits}`,

  verify: `npm run verify -- FILE

Reads a backup to its end, restores it into a temporary database and checks all rows there. Nothing of yours is changed.

${file}
${unsealed}

${settings}

${exits}`,

  'verify-audit': `npm run verify-audit [-- SEQ:HASH]

Checks that no entry of the audit log was changed, removed or added afterwards. A service that runs on the embedded database
must be stopped first; it can check the log itself, with POST /v1/platform/admin/audit/verify.

  SEQ:HASH       the head that an earlier check printed: the log must continue it

${settings}

Exits with 0 if the log is as it was written, with 1 if it is not, and with 2 if it could not be checked. More: docs/audit.md`,
} as const

export type OperatorCommand = keyof typeof commandHelp

/** Whether the arguments ask for help; then it is printed. */
export function printsHelp(command: OperatorCommand, args: readonly string[]): boolean {
  if (!args.includes('--help') && !args.includes('-h')) return false
  process.stdout.write(`${commandHelp[command]}\n`)
  return true
}

/** The end of a message about wrong arguments. */
export function helpHint(command: OperatorCommand): string {
  const npm = command === 'start' ? 'npm start' : `npm run ${command}`
  return `Run \`${npm} -- --help\` to see how it is used.`
}
