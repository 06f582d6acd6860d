/** What the tests use of it; the package brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly AccessToken: { find(token: string): Promise<{ readonly scope?: string } | undefined> }
    readonly ClientCredentials: { find(token: string): Promise<{ readonly scope?: string } | undefined> }
  }
}
