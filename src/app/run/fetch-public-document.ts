import type { IncomingMessage } from 'node:http'
import type { FetchDocument, LoadedDocument } from '../../openapi/document-set.ts'
import { defaultLimits, type Limits, limitHint } from '../../source/limits.ts'
import { NotPublicError, requestPublic } from '../public-network.ts'

const maxRedirects = 5

/**
 * Creates the loader for documents that a repository references by URL. It allows only https and hosts with public IP addresses.
 *
 * It checks the IP address of each connection, including redirects, which prevents DNS rebinding. Never rejects.
 */
export function createFetchPublicDocument(): FetchDocument {
  return async (address, limits = defaultLimits) => {
    const timeoutMs = limits.values['fetch-time']
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      let url = new URL(address)
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        if (url.protocol !== 'https:') return refused('only `https:` is allowed', 'Use `https:`, or commit the document')
        if (url.username !== '' || url.password !== '') {
          return refused('the URL contains a user name or password', 'Remove them from the URL')
        }
        const response = await get(url, signal)
        const { statusCode = 0, headers } = response
        if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) return await readAnswer(response, limits)
        response.destroy()
        url = new URL(headers.location, url)
      }
      return unreachable(`more than ${maxRedirects} redirects`)
    } catch (error) {
      if (error instanceof NotPublicError) return notPublic(error.host)
      if (signal.aborted) return unreachable(`no complete response within ${timeoutMs / 1000} s`)
      return unreachable(error instanceof Error ? error.message : String(error))
    }
  }
}

function get(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json, application/yaml, */*;q=0.5', 'user-agent': 'openapi-pages' }
    requestPublic(url, { signal, headers }).once('response', resolve).on('error', reject).end()
  })
}

async function readAnswer(response: IncomingMessage, limits: Limits): Promise<LoadedDocument> {
  const { statusCode = 0, statusMessage = '' } = response
  if (statusCode < 200 || statusCode >= 300) {
    response.destroy()
    return unreachable(`${statusCode} ${statusMessage}`.trim())
  }
  const limitBytes = limits.values['document-size']
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > limitBytes) {
      response.destroy()
      const hint = limitHint('document-size', limits, 'Split the document')
      return { kind: 'failed', code: 'file-too-large', reason: `more than ${limitBytes} bytes`, hint }
    }
    chunks.push(chunk)
  }
  return { kind: 'loaded', bytes: Buffer.concat(chunks) }
}

function notPublic(host: string): LoadedDocument {
  return refused(`\`${host}\` has no public IP address`, 'Commit the document and reference it by path')
}

function refused(reason: string, hint: string): LoadedDocument {
  return { kind: 'failed', code: 'url-refused', reason, hint }
}

function unreachable(reason: string): LoadedDocument {
  return { kind: 'failed', code: 'url-unreachable', reason }
}
