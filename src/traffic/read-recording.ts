import { isDeeperThan, isObject, listOf, parseJson, readOwn } from '../text/json/json-values.ts'
import { parseYaml } from '../text/yaml/parse-yaml.ts'
import { isCassette, readCassette } from './cassettes.ts'
import type { Exchange } from './exchange.ts'
import { readEntry } from './har.ts'
import { isPact, readPact } from './pact.ts'

/** What reading a file found. Exchanges are passed on one by one, so that large recordings need little memory. */
export interface ReadRecording {
  /** Completes "Cannot read the recording …: ". Absent if all of it was read. */
  readonly problem?: string
  /** Whether the file may be no recording at all. */
  readonly isOther?: true
  /** Number of its exchanges that lack a URL or status. */
  readonly incomplete: number
}

/** Recordings by path, so that those that are the same are not read again: with the stamp of their file. */
export type KeptRecordings = Map<string, ReadRecording & { readonly stamp: string; readonly exchanges: readonly Exchange[] }>

/** Receives each exchange of a recording. */
export type OnExchange = (exchange: Exchange) => void

/** Reads a recording of any supported format. Never throws because of its content. */
export function readRecording(file: string, bytes: Uint8Array, onExchange: OnExchange): ReadRecording {
  const parsed = parseRecording(file, bytes)
  if ('problem' in parsed) return { problem: parsed.problem, incomplete: 0 }
  const { value } = parsed
  if (isDeeperThan(value, maxNesting)) return { problem: `it is nested deeper than ${maxNesting} levels`, incomplete: 0 }
  const exchanges = listExchanges(file, value)
  if (!exchanges) return { problem: unknownFormat, isOther: true, incomplete: 0 }
  return passOn(exchanges, onExchange)
}

const maxNesting = 250

const unknownFormat =
  'its format is unknown. Use HAR, a cassette of vcrpy, VCR, betamax or go-vcr, or a Pact file, or convert it to HAR'

function passOn(exchanges: Iterable<Exchange | undefined>, onExchange: OnExchange): ReadRecording {
  let incomplete = 0
  for (const exchange of exchanges) {
    if (exchange) onExchange(exchange)
    else incomplete++
  }
  return { incomplete }
}

function listExchanges(file: string, value: unknown): Iterable<Exchange | undefined> | undefined {
  if (isPact(value)) return readPact(file, value)
  if (isCassette(value)) return readCassette(file, value)
  const entries = readOwn(readOwn(value, 'log'), 'entries')
  if (!Array.isArray(entries)) return undefined
  return listOf(entries).map((entry, index) => readEntry({ file, index: index + 1 }, entry))
}

function parseRecording(file: string, bytes: Uint8Array): { readonly value: unknown } | { readonly problem: string } {
  const text = new TextDecoder().decode(bytes)
  const isJson = /^\s*[[{]/.test(text)
  const { value, faults } = isJson ? { value: parseJson(text), faults: [] } : parseYaml(text, 'any')
  if (value !== undefined) return { value }
  // The messages of parsers quote the text, which can be a secret.
  if (faults.some(({ code }) => code === 'too-complex')) return { problem: 'its aliases are too complex' }
  return { problem: isJson || /\.(?:json|har)$/i.test(file) ? 'it is no valid JSON' : 'it is no valid YAML' }
}

/** Creates a reader of HAR files whose text arrives in parts. */
export async function openHarStream(file: string, onExchange: OnExchange) {
  const { JSONParser } = await import('@streamparser/json')
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false, stringBufferSize: 64 * 1024 })
  let [index, incomplete] = [0, 0]
  let problem: string | undefined
  parser.onValue = ({ value }) => {
    index++
    const exchange = isObject(value) ? readEntry({ file, index }, value) : undefined
    if (exchange) onExchange(exchange)
    else incomplete++
  }
  parser.onError = () => {
    problem = 'it is no valid JSON'
  }
  return {
    /** Reads the next part. Returns whether more can be read. */
    write: (part: Uint8Array): boolean => {
      if (problem === undefined) parser.write(part)
      return problem === undefined
    },
    end: (): ReadRecording => {
      if (problem === undefined && !parser.isEnded) problem = 'it is no valid JSON'
      return { incomplete, ...(problem !== undefined && { problem }) }
    },
  }
}
