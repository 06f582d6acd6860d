/** A response of the server. */
interface Visit {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface VisitOptions {
  readonly method?: string
  /** Form fields, submitted by a page of the same origin unless `from` is set. */
  readonly form?: Readonly<Record<string, string>>
  /** Origin of the page that submits the form; `null` omits the header. */
  readonly from?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Used without `form`. */
  readonly body?: string
}

/** A minimal browser with cookies per host and redirects. */
export class Visitor {
  /** By host with its port, then by name. */
  readonly cookies = new Map<string, Map<string, string>>()
  /** All received `Set-Cookie` headers. */
  readonly cookieLines: string[] = []
  readonly base: string

  /** @param base The base URL of relative paths. */
  constructor(base: string) {
    this.base = base
  }

  /** Sends one request without following redirects. */
  async ask(address: string, { method, form, from, headers = {}, body }: VisitOptions = {}): Promise<Visit> {
    const url = new URL(address, this.base)
    const jar = this.cookies.get(url.host) ?? new Map<string, string>()
    this.cookies.set(url.host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    // Unlike browsers, Node does not resolve subdomains of `localhost`.
    const target = new URL(url)
    if (target.hostname.endsWith('localhost')) target.hostname = '127.0.0.1'
    const { request } = await import('node:http')
    return await new Promise<Visit>((resolve, reject) => {
      const sent = request(target, {
        method: method ?? (form ? 'POST' : 'GET'),
        headers: {
          Host: url.host,
          Accept: 'text/html',
          ...(cookie && { Cookie: cookie }),
          ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          ...(form && from !== null && { Origin: from ?? url.origin }),
          ...headers,
        },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answered = new Headers()
          for (const [name, values] of Object.entries(response.headersDistinct)) {
            for (const value of values ?? []) answered.append(name, value)
          }
          for (const line of answered.getSetCookie()) {
            this.cookieLines.push(line)
            const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
            if (/Max-Age=0\b/.test(line)) jar.delete(name)
            else jar.set(name, value)
          }
          resolve({ url, status: response.statusCode ?? 0, headers: answered, text: Buffer.concat(chunks).toString() })
        })
        response.on('error', reject)
      })
      sent.end(form ? new URLSearchParams(form).toString() : body)
    })
  }

  /** Sends a request and follows redirects. */
  async go(address: string, options: VisitOptions = {}): Promise<Visit> {
    let visit = await this.ask(address, options)
    for (let left = 10; left > 0; left--) {
      const location = visit.headers.get('location')
      if (location === null) return visit
      visit = await this.ask(new URL(location, visit.url).href)
    }
    throw new Error(`Too many redirects from ${address}`)
  }

  /** Signs in as the current user of the fake GitHub. */
  async signIn(to = '/projects'): Promise<Visit> {
    return await this.go('/sign-in', { form: { to } })
  }
}
