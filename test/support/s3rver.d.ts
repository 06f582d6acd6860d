/** The parts that the tests use. The package has no types. */
declare module 's3rver' {
  import type { RequestListener } from 'node:http'
  export default class S3rver {
    constructor(options: {
      readonly directory: string
      readonly silent: boolean
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    callback(): RequestListener
    configureBuckets(): Promise<unknown>
  }
}
