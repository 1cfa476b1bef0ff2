/** The parts of `oidc-provider` that are used here. Its own types need forty packages. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Client = { clientId: string }

  class AuthorizationCode {
    constructor(properties: Record<string, unknown>)
    save(): Promise<string>
  }

  class Grant {
    constructor(properties: { accountId: string; clientId: string })
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    AuthorizationCode: typeof AuthorizationCode
    Grant: typeof Grant
    Client: { find(id: string): Promise<Client | undefined> }
    on(event: string, listener: (...values: unknown[]) => void): void
  }
}
