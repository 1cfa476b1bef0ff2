import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export type Dovecot = {
  port: number
  /** Null: it takes no mail by LMTP. */
  lmtpPort: number | null
  /** Puts a mail into the INBOX of an account, as a mail server does. */
  deliver(account: string, mail: string | Buffer, arrivedAt?: Date): Promise<void>
  /** The mails of a folder. */
  mails(account: string, folder?: string): Promise<string[]>
  /** Numbers all mails of an account anew, with another UIDVALIDITY. */
  renumber(account: string): Promise<void>
  close(): Promise<void>
}

const areInstalled = (...paths: string[]) => paths.every((path) => existsSync(path))
/** Debian's dovecot-imapd is installed. */
export const hasDovecot = areInstalled('/usr/sbin/dovecot', '/usr/lib/dovecot/imap')
/** Debian's dovecot-lmtpd and dovecot-sieve are installed, too. */
export const hasSieve =
  hasDovecot && areInstalled('/usr/lib/dovecot/lmtp', '/usr/lib/dovecot/modules/lib90_sieve_plugin.so')

/**
 * A real IMAP server on a free port of 127.0.0.1, without TLS. Accounts appear when they are used.
 * @param options.userInfoUrl tells the account of a token, as OpenID Connect does: accounts log in by XOAUTH2 as well
 * @param options.sieve mail is taken by LMTP as well, and each account does with it what the script says
 */
export async function startDovecot(
  password: string,
  options: { userInfoUrl?: string; tls?: { key: string; cert: string }; sieve?: Sieve } = {},
): Promise<Dovecot> {
  const isRoot = process.getuid?.() === 0
  const [uid, gid] = isRoot ? [65_534, 65_534] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const folder = await mkdtemp('/tmp/atrium-dovecot-')
  const port = await freePort()
  const lmtpPort = options.sieve ? await freePort() : null
  const home = join(folder, 'mail')
  await mkdir(home)
  await chown(folder, uid, gid)
  await chown(home, uid, gid)
  await writeFile(join(folder, 'password'), `{PLAIN}${password}`)
  if (options.tls) {
    await writeFile(join(folder, 'key.pem'), options.tls.key)
    await writeFile(join(folder, 'cert.pem'), options.tls.cert)
  }
  if (options.userInfoUrl)
    await writeFile(
      join(folder, 'oauth2.conf'),
      `introspection_url = ${options.userInfoUrl}\nintrospection_mode = auth\nusername_attribute = email\n`,
    )
  if (options.sieve) await writeFile(join(folder, 'account.sieve'), options.sieve.script)
  const places = { folder, port, lmtpPort, password, uid, gid, isRoot }
  await writeFile(join(folder, 'dovecot.conf'), settings({ ...places, ...options }))
  // The shell outlives us in all cases: it reads a pipe that closes when we end.
  const keeper = spawn(
    'sh',
    ['-c', 'dovecot -F -c "$1/dovecot.conf" & read -r _; kill $!; wait $!; rm -rf "$1"', 'sh', folder],
    { stdio: ['pipe', 'ignore', 'inherit'], env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` } },
  )
  await answering(port)
  const inbox = (account: string) => join(home, account)
  const uidValidity = async (account: string): Promise<number> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`a login ${account} ${password}\r\nb status INBOX (UIDVALIDITY)\r\nc logout\r\n`)
    const said = await text(socket)
    return Number(/UIDVALIDITY (\d+)/.exec(said)?.[1] ?? assert.fail(said))
  }
  const owned = async (path: string) => {
    await mkdir(path, { recursive: true })
    await chown(path, uid, gid)
  }
  return {
    port,
    lmtpPort,
    deliver: async (account, mail, arrivedAt) => {
      for (const path of [inbox(account), ...['new', 'cur', 'tmp'].map((it) => join(inbox(account), it))])
        await owned(path)
      const name = `${Date.now()}.${randomUUID()}.test`
      await writeFile(join(inbox(account), 'tmp', name), mail)
      await chown(join(inbox(account), 'tmp', name), uid, gid)
      if (arrivedAt) await utimes(join(inbox(account), 'tmp', name), arrivedAt, arrivedAt)
      await rename(join(inbox(account), 'tmp', name), join(inbox(account), 'new', name))
    },
    mails: async (account, of) => {
      const path = of === undefined ? inbox(account) : join(inbox(account), `.${of}`)
      const files = await Promise.all(
        ['new', 'cur'].map(async (it) =>
          (await readdir(join(path, it)).catch(() => [])).map((name) => join(path, it, name)),
        ),
      )
      // A mail that is moved meanwhile is not there any more.
      const texts = await Promise.all(files.flat().map((file) => readFile(file, 'utf8').catch(() => null)))
      return texts.filter((text) => text !== null)
    },
    renumber: async (account) => {
      const list = join(inbox(account), 'dovecot-uidlist')
      const wanted = (await uidValidity(account)) + 1
      // The process of a connection that has just ended may write its old number once more.
      do {
        const written = await readFile(list, 'utf8')
        await writeFile(list, written.replace(/ V\d+ /, ` V${wanted} `))
        for (const name of await readdir(inbox(account)))
          if (name.startsWith('dovecot.index')) await rm(join(inbox(account), name), { force: true })
      } while ((await uidValidity(account)) !== wanted)
    },
    close: async () => {
      keeper.stdin.end()
      if (keeper.exitCode === null) await once(keeper, 'exit')
    },
  }
}

/** What accounts do with their mail. */
export type Sieve = {
  script: string
  /** Where they send their own mails. */
  smtpPort: number
  settings: string[]
}

type Settings = {
  folder: string
  port: number
  lmtpPort: number | null
  password: string
  uid: number
  gid: number
  isRoot: boolean
  userInfoUrl?: string
  tls?: object
  sieve?: Sieve
}

function settings({ folder, port, lmtpPort, password, uid, gid, isRoot, userInfoUrl, tls, sieve }: Settings): string {
  const user = isRoot ? 'nobody' : (process.env['USER'] ?? 'nobody')
  return `
protocols = imap ${sieve ? 'lmtp' : ''}
base_dir = ${folder}/run
log_path = ${folder}/log
listen = 127.0.0.1
ssl = ${tls ? 'yes' : 'no'}
${tls ? `ssl_cert = <${folder}/cert.pem\nssl_key = <${folder}/key.pem` : ''}
disable_plaintext_auth = no
auth_mechanisms = plain login ${userInfoUrl ? 'xoauth2 oauthbearer' : ''}
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u
default_internal_user = ${user}
default_login_user = ${user}
default_internal_group = ${isRoot ? 'nogroup' : '$GROUP'}
first_valid_uid = 1
service imap-login {
  chroot =
  inet_listener imap { 
    port = ${tls ? 0 : port}
  }
  inet_listener imaps { 
    port = ${tls ? port : 0}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
passdb {
  driver = static
  args = password=${password}
}
${userInfoUrl ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${folder}/oauth2.conf\n}` : ''}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}/mail/%u
}
${sieve ? sieveSettings(sieve, { folder, lmtpPort }) : ''}
`
}

function sieveSettings(
  { smtpPort, settings: own }: Sieve,
  { folder, lmtpPort }: Pick<Settings, 'folder' | 'lmtpPort'>,
) {
  return `
service lmtp {
  inet_listener lmtp {
    port = ${lmtpPort}
  }
}
protocol lmtp {
  mail_plugins = sieve
  postmaster_address = postmaster@localhost
}
submission_host = 127.0.0.1:${smtpPort}
plugin {
  sieve = file:${folder}/account.sieve
  ${own.join('\n  ')}
}
`
}

async function answering(port: number): Promise<void> {
  for (let tried = 0; ; tried++) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'data')
      return
    } catch (error) {
      if (tried > 100) throw error
      await delay(100)
    } finally {
      socket.destroy()
    }
  }
}
