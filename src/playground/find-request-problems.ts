import type { HttpRequest } from '../request/http-request.ts'
import { isToken } from '../request/request-headers.ts'

/** Why a request is not what was asked for, or cannot be sent from a page. */
export interface RequestProblem {
  /**
   * `missing`: something that the operation needs is not filled in; the request is without it, and its address wrong where it is in the path or server. `changed`: the browser leaves it out or changes it;
   * the samples show it. `impossible`: the browser would not send the request, or to another address.
   */
  readonly kind: 'missing' | 'changed' | 'impossible'
  /** The field: `keyOf(parameter)`, `body`, `server`, `method`, or `security` with the name of the scheme. */
  readonly at: string
  /** One sentence, names in backticks. */
  readonly message: string
}

/**
 * What keeps a request from being sent: its address would be wrong, so it would ask for something else than the reader wants. All else is sent, so that the
 * server or the browser says what it thinks of it.
 */
export function listHolds(problems: readonly RequestProblem[]): readonly RequestProblem[] {
  return problems.filter(({ kind, at }) => kind !== 'changed' && /^(?:server|path )/.test(at))
}

/** What is wrong with a header or cookie that is sent from a field. */
export function findHeaderProblems(at: string, location: 'header' | 'cookie', name: string, text: string): RequestProblem[] {
  const changed = (message: string): RequestProblem[] => [{ kind: 'changed', at, message }]
  if (location === 'cookie') {
    return changed(`Browsers let no page set a cookie for a request: \`${name}\` is in the samples, but not sent from here`)
  }
  if (!isToken(name)) return changed(`HTTP has no header with the name \`${name}\`, so it is left out`)
  if (isForbidden(name)) return changed(`Browsers let no page set \`${name}\`: it is in the samples, but not sent from here`)
  return /[\x00-\x1f\x7f]/.test(text) ? changed(`Line breaks and control characters in \`${name}\` are sent as blanks`) : []
}

/** Whether browsers would send a request, and to the address that is shown. */
export function findRequestProblems({ method, url, body }: HttpRequest): RequestProblem[] {
  const problems: RequestProblem[] = []
  const impossible = (at: string, message: string) => problems.push({ kind: 'impossible', at, message })
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) impossible('method', `Browsers do not send \`${method}\``)
  else if (body && /^(?:GET|HEAD)$/.test(method)) impossible('body', `Browsers send no body with \`${method}\``)
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (!address || !/^https?:$/.test(address.protocol)) {
    impossible('server', `Cannot send to \`${url}\`: expected an address that begins with \`https://\` or \`http://\``)
  } else if (address.username !== '' || address.password !== '') {
    impossible('server', 'Browsers send to no address that has a name or password in it')
  } else if (/\/(?:\.|%2e){1,2}(?=[/?#]|$)/i.test(url.replace(/^[^/]*\/\/[^/?#]*|[?#].*$/gs, ''))) {
    impossible('server', 'Browsers take `.` and `..` in a path for steps, so the request would go to another address')
  }
  return problems
}

/** Headers that `fetch` ignores. Source: Fetch standard, "forbidden request-header". */
function isForbidden(name: string): boolean {
  return /^(?:accept-(?:charset|encoding)|access-control-request-(?:headers|method|private-network)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|(?:proxy|sec)-.*)$/i.test(
    name,
  )
}
