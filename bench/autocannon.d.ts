// The package has no types. These are the parts that the benchmarks use.
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly headers?: Readonly<Record<string, string>>
    /** Sent in turn. */
    readonly requests?: readonly { readonly path: string }[]
  }
  interface Result {
    readonly requests: { readonly average: number; readonly total: number }
    /** Milliseconds. */
    readonly latency: { readonly p99: number }
    readonly non2xx: number
    readonly errors: number
  }
  interface Run extends Promise<Result> {
    /** Called for each response. */
    on(event: 'response', listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void): void
  }
  export default function autocannon(options: Options): Run
}
