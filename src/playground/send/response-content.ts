import { readOwn } from '../../text/json/json-values.ts'
import type { Reading } from './sent.ts'

/** Image types that are displayed. SVG can run scripts and load resources, so it is shown as text. */
const image = /^image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/
const lines = /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq|stream\+json)$/
const text = /^text\/|[/+](?:xml|yaml|x-yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|sql|http|x-sh|csv)$/

/** How content of a media type is shown. If the type is missing or unknown, the first bytes decide. */
export function chooseReading(mediaType: string | undefined, first: Uint8Array): Reading {
  if (mediaType === 'text/event-stream') return 'events'
  if (mediaType !== undefined) {
    if (lines.test(mediaType)) return 'lines'
    if (/^(?:application|text)\/json$|\+json$/.test(mediaType)) return 'json'
    if (image.test(mediaType)) return 'image'
    if (mediaType === 'application/pdf') return 'pdf'
    if (mediaType.startsWith('audio/')) return 'audio'
    if (mediaType.startsWith('video/')) return 'video'
    if (text.test(mediaType)) return 'text'
    if (/^(?:font|image)\/|^application\/(?:octet-stream|zip|gzip)$/.test(mediaType)) return 'binary'
  }
  return looksLikeText(first) ? 'text' : 'binary'
}

/** Whether bytes are UTF-8 without control characters. The last character can be incomplete. */
function looksLikeText(bytes: Uint8Array): boolean {
  try {
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.slice(0, 512), { stream: true }),
    )
  } catch {
    return false
  }
}

type AddItem = (data: string, event?: string, id?: string) => void

/**
 * Reads text that arrives in pieces as lines, or as server-sent events. Passes on each of them when it is complete.
 *
 * Source: HTML standard, "Parsing an event stream".
 */
export function createItemReader(add: AddItem): (reading: Reading, piece: string, isLast: boolean) => void {
  let rest = ''
  let event: { readonly data: string[]; readonly event?: string; readonly id?: string } = { data: [] }
  const addField = (line: string) => {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'data') event.data.push(value)
    else if (name === 'event' || (name === 'id' && !value.includes('\0'))) event = { ...event, [name]: value }
    if (line !== '') return
    if (event.data.length > 0) add(event.data.join('\n'), event.event || undefined, event.id)
    event = { data: [] }
  }
  return (reading, piece, isLast) => {
    rest += piece
    // A line can be megabytes long.
    if (!isLast && !/[\r\n\x1e]/.test(piece)) return
    const isEvents = reading === 'events'
    // The next piece can start with the second half of a line break.
    const found = rest.split(!isEvents ? /\r?\n|\x1e/ : isLast ? /\r\n?|\n/ : /\r\n|\r(?!$)|\n/)
    rest = isLast && !isEvents ? '' : (found.pop() ?? '')
    for (const line of found) {
      if (isEvents) addField(line)
      else if (line.trim() !== '') add(line)
    }
  }
}

const extensions: Readonly<Record<string, string>> = {
  json: 'json',
  xml: 'xml',
  html: 'html',
  pdf: 'pdf',
  csv: 'csv',
  png: 'png',
  jpeg: 'jpg',
  zip: 'zip',
  plain: 'txt',
  yaml: 'yaml',
}

/**
 * The file name from the server, else from the last URL segment and the media type. Never contains a path, control characters or a leading dot.
 */
export function toFileName(disposition: string | undefined, mediaType: string | undefined, url: string): string {
  const named = /filename="?([^";]+)/i.exec(disposition ?? '')?.[1]
  const last = new URL(url).pathname.split('/').findLast((step) => step !== '')
  const name =
    (named ?? last ?? '')
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+/, '')
      .slice(-100) || 'response'
  const extension = readOwn(extensions, /[/+]([a-z]+)$/.exec(mediaType ?? '')?.[1] ?? '')
  return /\.[a-z0-9]{1,5}$/i.test(name) || extension === undefined ? name : `${name}.${extension}`
}
