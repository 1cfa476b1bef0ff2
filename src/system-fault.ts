import type { Config } from './config/config.ts'

type Address = Pick<Config, 'host' | 'port'>

const unknownAddress = ({ host }: Address) =>
  `This machine has no address ${host}. Set HOST to one of its own, to 127.0.0.1 for this machine alone or to 0.0.0.0 for all.`

const listening: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Another program listens on port ${port} of ${host}. Stop that one, or set PORT to a free port (0 takes any).`,
  EACCES: ({ port }) =>
    `This account may not listen on port ${port}. Set PORT to one above 1023, with a proxy before it.`,
  EADDRNOTAVAIL: unknownAddress,
  ENOTFOUND: unknownAddress,
  EAI_AGAIN: unknownAddress,
}

const forbidden = (path: string) =>
  `This account may not read or write ${path}. Give the folder to the account that runs Atrium (chown -R), or name another one.`
const fileInTheWay = (path: string) => `${path} cannot be made: a part of this path is a file and not a folder.`

const files: Record<string, (path: string) => string> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: (path) => `${path} is on a file system that is mounted read-only. Name another folder.`,
  ENOTDIR: fileInTheWay,
  EEXIST: fileInTheWay,
  ENOENT: (path) => `${path} cannot be made or read: its folder does not exist.`,
  ENOSPC: (path) => `There is no space left to write ${path}.`,
}

/**
 * Tells an operator what to do about an error of the operating system. `address` is where the process was to listen. For any
 * other error it returns the message, which was written for the operator.
 */
export function explained(error: unknown, address: Address | null = null): string {
  if (!(error instanceof Error)) return String(error)
  const { syscall = '', path, code = '' }: NodeJS.ErrnoException = error
  if (path !== undefined) return files[code]?.(path) ?? error.message
  const isListening = address !== null && ['listen', 'getaddrinfo'].includes(syscall)
  return (isListening && listening[code]?.(address)) || error.message
}
