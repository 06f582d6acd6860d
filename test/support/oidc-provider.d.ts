/** The parts that the tests use. The package has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly AccessToken: { find(token: string): Promise<{ readonly scope?: string } | undefined> }
    readonly ClientCredentials: { find(token: string): Promise<{ readonly scope?: string } | undefined> }
  }
}
