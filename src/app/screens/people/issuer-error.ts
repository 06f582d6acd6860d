/** Why an issuer did not sign a person in, or did not confirm a session. */
export type IssuerFailure = 'denied' | 'refused' | 'too-many-groups' | 'unreachable'

/** An issuer refused a person, or is not known to have: `unreachable`. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError'
  readonly failure: IssuerFailure

  constructor(failure: IssuerFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}
