/** The parts that the tests use. The package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly Grant: new (properties: {
      accountId: string
      clientId: string
    }) => {
      addOIDCScope(scope: string): void
      addOIDCClaims(claims: readonly string[]): void
      save(): Promise<string>
    }
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    readonly AccessToken: { find(token: string): Promise<{ readonly scope?: string } | undefined> }
    readonly ClientCredentials: { find(token: string): Promise<{ readonly scope?: string } | undefined> }
  }
}
