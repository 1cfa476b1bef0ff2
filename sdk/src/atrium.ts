import { Client, type ClientOptions } from './client.ts'
import { createDeviceKeys, withPrivateKey } from './device-keys.ts'
import { isCode } from './errors.ts'
import { appTable } from './generated/app-table.ts'
import type { AppGroups, AppOperationId } from './generated/groups.ts'
import type { LicenseVerdict } from './generated/schemas.ts'
import { requireValid } from './license-guard.ts'
import type { CallOptions, Input, Output } from './method.ts'
import { memoryTokens, type TokenStore, tokenKeeper, tokensIn } from './tokens.ts'

export type AtriumOptions = ClientOptions & {
  apiKey?: string
  /** Default: in memory. */
  tokens?: TokenStore
}

type RegisterDevice = Input<'registerDevice'> & {
  /** `local`: the key pair is made here, and the service never has the private key. */
  keys?: 'local'
}

/** The methods that do more than their operation. */
type OwnMethods = {
  licenses: {
    /** Takes one use of a license, exactly once however often the network fails. Throws LicenseError if it is not valid. */
    consume(input: Omit<Input<'validateLicense'>, 'consume'>, options?: CallOptions): Promise<LicenseVerdict>
  }
  vpn: {
    /** Validates the license first, if one is given, and throws LicenseError before connecting. */
    connect(input: Input<'connect'>, options?: CallOptions): Promise<Output<'connect'>>
  }
  devices: {
    register(input: RegisterDevice, options?: CallOptions): Promise<Output<'registerDevice'>>
  }
}

export type Atrium = Client<AppOperationId> & AppGroups & OwnMethods

class AtriumClient extends Client<AppOperationId> {
  constructor({ apiKey, tokens = memoryTokens(), ...options }: AtriumOptions) {
    super(options, appTable)
    const headers: Record<string, string> = apiKey ? { 'x-api-key': apiKey } : {}
    this.credentials = { headers, tokens: tokenKeeper(tokens, (refreshToken) => this.#refresh(refreshToken)) }
    this.group('licenses')['consume'] = (input, options) => this.#consume(input as Input<'validateLicense'>, options)
    this.group('vpn')['connect'] = (input, options) => this.#connect(input as Input<'connect'>, options)
    this.group('devices')['register'] = (input, options) => this.#register(input as RegisterDevice, options)
    for (const name of ['logout', 'removeMe'] as const) {
      const end = this.group('auth')[name]
      this.group('auth')[name] = async (...args) => {
        await end?.(...args)
        await tokens.set(null)
      }
    }
  }

  async #refresh(refreshToken: string) {
    try {
      return tokensIn(await this.call('refresh', { refreshToken }))
    } catch (error) {
      if (isCode(error, 'REFRESH_INVALID', 'REFRESH_REUSED')) return null
      throw error
    }
  }

  async #consume(input: Input<'validateLicense'>, options?: CallOptions): Promise<LicenseVerdict> {
    return requireValid(await this.call('validateLicense', { ...input, consume: true }, options))
  }

  async #connect(input: Input<'connect'>, options: CallOptions = {}): Promise<Output<'connect'>> {
    const { licenseKey } = input
    // The idempotency key belongs to the connect.
    const { idempotencyKey: _, ...shared } = options
    if (licenseKey) requireValid(await this.call('validateLicense', { licenseKey }, shared))
    return this.call('connect', input, options)
  }

  async #register({ keys, ...input }: RegisterDevice, options?: CallOptions): Promise<Output<'registerDevice'>> {
    if (keys !== 'local') return this.call('registerDevice', input, options)
    const { publicKey, privateKey } = await createDeviceKeys()
    const answer = await this.call('registerDevice', { ...input, publicKey }, options)
    return { ...answer, config: withPrivateKey(answer.config, privateKey) }
  }
}

/** For applications: with a tenant's API key, and the tokens of the user who signs in. */
export const Atrium = AtriumClient as unknown as new (options: AtriumOptions) => Atrium
