import { readFileSync } from 'node:fs'
import { CommandFailed, type Run } from '../../agent/run.ts'

type Peer = { presharedKey: string; allowedIps: string[]; endpoint: string; keepalive: string; rx: number; tx: number }

/**
 * `wg` by hand, as badly as the real one behaves: a file with one bad key is refused whole, an address that two peers
 * have moves to the later one without a word, and what is not in a file keeps its old value in a live peer.
 */
export function fakeWg() {
  const peers = new Map<string, Peer>()
  let privateKey = '(none)'
  const wg = {
    peers,
    isGone: false,
    /** Every command, with the number of peers in its file. */
    commands: [] as string[],
    /** Keys that this version of `wg` does not like, whatever others think of them. */
    disliked: new Set<string>(),
    run: (async (command, args) => {
      if (command !== 'wg') return ''
      const [verb = '', , ...rest] = args
      if (wg.isGone) throw new CommandFailed('wg', 'Unable to modify interface: No such device')
      if (verb === 'show') return dump()
      if (verb === 'set') return set(rest)
      const sections = sectionsOf(readFileSync(rest[0] as string, 'utf8'))
      wg.commands.push(`${verb} ${sections.length}`)
      if (sections.some(({ PublicKey = '' }) => wg.disliked.has(PublicKey)))
        throw new CommandFailed('wg', `Key is not the correct length or format: \`x'\nConfiguration parsing error`)
      if (verb === 'syncconf') {
        const wanted = new Set(sections.map(({ PublicKey }) => PublicKey))
        for (const key of peers.keys()) if (!wanted.has(key)) peers.delete(key)
      }
      sections.forEach(put)
      return ''
    }) satisfies Run,
  }
  const dump = () => {
    const lines = [...peers].map(([key, { presharedKey, endpoint, allowedIps, keepalive, rx, tx }]) =>
      [key, presharedKey, endpoint, allowedIps.join(',') || '(none)', rx > 0 ? 1000 : 0, rx, tx, keepalive].join('\t'),
    )
    return [`${privateKey}\tpublic\t51820\toff`, ...lines, ''].join('\n')
  }
  const set = (args: string[]) => {
    const of = (verb: string) => args.flatMap((word, at) => (word === verb ? [args[at - 1] as string] : []))
    if (args[0] === 'private-key') privateKey = readFileSync(args[1] as string, 'utf8')
    if (of('remove').length > 0) wg.commands.push(`remove ${of('remove').length}`)
    for (const key of of('remove')) peers.delete(key)
    for (const key of of('persistent-keepalive')) (peers.get(key) as Peer).keepalive = 'off'
    return ''
  }
  const put = ({ PublicKey = '', PresharedKey, AllowedIPs = '', Endpoint, PersistentKeepalive }: Section) => {
    const before = peers.get(PublicKey)
    const allowedIps = AllowedIPs.split(', ')
    for (const [key, peer] of peers) {
      if (key !== PublicKey) peer.allowedIps = peer.allowedIps.filter((address) => !allowedIps.includes(address))
    }
    peers.set(PublicKey, {
      presharedKey: PresharedKey ?? before?.presharedKey ?? '',
      allowedIps,
      endpoint: Endpoint ?? before?.endpoint ?? '(none)',
      keepalive: PersistentKeepalive ?? 'off',
      rx: before?.rx ?? 0,
      tx: before?.tx ?? 0,
    })
  }
  return wg
}

type Section = Record<string, string>

function sectionsOf(text: string): Section[] {
  const [, ...peers] = text.split('[Peer]')
  return peers.map((section) =>
    Object.fromEntries(
      section.split('\n').flatMap((line) => {
        const [, name = '', value = ''] = /^(\w+) = (.*)$/.exec(line) ?? []
        return name ? [[name, value]] : []
      }),
    ),
  )
}
