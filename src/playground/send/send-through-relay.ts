import { say } from '../controls/playground-messages.ts'
import { type RelayCall, type RelayHead, relayMediaType, relayPath } from '../request/relay-format.ts'

type RelayedResponse = Pick<Response, 'type' | 'status' | 'statusText' | 'headers' | 'body' | 'redirected' | 'url'>

/**
 * Sends a request through the server of the site, without cookies for its target. Returns a sentence with names in backticks if there is no response.
 *
 * Rejects if the request is stopped.
 */
export async function sendThroughServer(request: Request, slice: string): Promise<RelayedResponse | string> {
  const { method, url, headers, signal } = request
  const call: RelayCall = { slice, method, url, headers: [...headers] }
  const body = new Blob([JSON.stringify(call), '\n', await request.blob()])
  let response: Response
  try {
    response = await fetch(relayPath, {
      method: 'POST',
      headers: { 'Content-Type': relayMediaType },
      body,
      signal,
      cache: 'no-store',
    })
  } catch (error) {
    if (signal.aborted) throw error
    return say('Cannot reach `{host}`. Check your connection.', location.host)
  }
  if (!response.ok) return await readProblem(response)
  const { line, rest } = await readLine(response)
  // The server of the site wrote it.
  const head = JSON.parse(line) as RelayHead
  if ('failure' in head) return head.failure
  const { status, statusText } = head
  const answered = new Headers(head.headers.map(([name, value]) => [name, value]))
  // A `Response` could not have every status.
  return { type: 'basic', status, statusText, headers: answered, body: rest, redirected: false, url }
}

async function readProblem(response: Response): Promise<string> {
  if (response.status === 404) {
    return say(
      '`{host}` does not send requests for you any more. If the site is private, reload the page to sign in again.',
      location.host,
    )
  }
  const { title, detail }: { readonly title?: string; readonly detail?: string } = await response.json().catch(() => ({}))
  return say('`{host}` refused the request: {reason}.', location.host, detail ?? title ?? String(response.status))
}

/** The first line of a response, and the stream of everything after it. */
async function readLine({
  body,
}: Response): Promise<{ readonly line: string; readonly rest: ReadableStream<Uint8Array<ArrayBuffer>> }> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let line = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) throw new Error('The response has no first line')
    const end = value.indexOf(10)
    line += decoder.decode(end === -1 ? value : value.subarray(0, end), { stream: end === -1 })
    if (end === -1) continue
    const rest = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(value.subarray(end + 1)),
      async pull(controller) {
        const next = await reader?.read()
        if (next?.value) controller.enqueue(next.value)
        else controller.close()
      },
      cancel: (reason) => reader?.cancel(reason),
    })
    return { line, rest }
  }
}
