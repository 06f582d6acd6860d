import { expect, test } from 'vitest'
import { markClients } from '../../src/changes/clients/client-effects.ts'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { addExchange, emptyClient, readClientFile, writeClientFile } from '../../src/traffic/client-file.ts'
import { readRecording } from '../../src/traffic/read-recording.ts'
import { createRouter } from '../../src/traffic/route.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom, type Random } from '../support/random.ts'
import { type BehaviorPair, makePairs, toBaseDocument, toRequestJudges } from './behavior.ts'
import { readDocument } from './compare-documents.ts'
import { makeValue } from './random-values.ts'

const mediaTypes = ['application/json', 'application/x-ndjson', 'application/*'] as const

interface WireRequest {
  readonly url: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly postData?: { readonly mimeType: string; readonly text: string }
}

/** A request with values, as a browser records it. A stream has several. */
function toWire({ position, keys }: BehaviorPair, values: readonly unknown[]): WireRequest {
  const url = 'https://api.example.com/request'
  if (position === 'text') {
    const query = values.flat().map((value) => `a=${encodeURIComponent(String(value))}`)
    return { url: `${url}?${query.join('&')}`, headers: [] }
  }
  const mimeType = keys[0].mediaType === 'application/*' ? 'application/json' : keys[0].mediaType
  const text = values.map((value) => JSON.stringify(value)).join('\n')
  return { url, headers: [{ name: 'Content-Type', value: mimeType }], postData: { mimeType, text } }
}

/** The values of a recorded request, read as simply as possible. */
function readWire({ url, postData }: WireRequest): readonly unknown[] {
  if (postData) return postData.text.split('\n').map((line): unknown => JSON.parse(line))
  const texts = [...new URL(url).searchParams.values()]
  return [texts.length === 1 ? texts[0] : texts]
}

/** Requests that are valid in the base. Of texts, those that the wire does not change. */
function makeRequests(pair: BehaviorPair, random: Random): WireRequest[] {
  const [isValid] = toRequestJudges(pair)
  const options = { hasUnknownProperties: random() < 0.2, leavesOut: 'readOnly' } as const
  const values = Array.from({ length: 12 }, () => makeValue(pair.base, pair.revision, random, options)).filter((value) => {
    const isScalar = (one: unknown) => typeof one !== 'object' && one !== ''
    return (
      isValid(value) &&
      (pair.position !== 'text' || (Array.isArray(value) ? value.length > 0 && value.every(isScalar) : isScalar(value)))
    )
  })
  const isStream = pair.keys[0].mediaType === 'application/x-ndjson' && pair.position === 'body'
  return isStream && values.length > 0 ? [toWire(pair, values)] : values.slice(0, 4).map((value) => toWire(pair, [value]))
}

async function simulate(pair: BehaviorPair, requests: readonly WireRequest[]) {
  const base = await readDocument(JSON.stringify(toBaseDocument(pair)))
  const revision = await readDocument(JSON.stringify(toBaseDocument({ ...pair, base: pair.revision })))
  const entries = requests.map((request) => ({
    startedDateTime: '2026-01-02T03:04:05Z',
    request: { method: 'POST', ...request },
    response: { status: 204, headers: [], content: {} },
  }))
  const client = emptyClient('web')
  const route = createRouter([base])
  const bytes = new TextEncoder().encode(JSON.stringify({ log: { entries } }))
  readRecording('web.har', bytes, (exchange) => addExchange(client, route(exchange)))
  const { record } = await readClientFile({ path: 'web.yaml', text: writeClientFile(client) })
  const compared = compareDescriptions(base, revision, { today: '2026-06-15' })
  return markClients(compared, { base: record ? [record] : [], revision: [] }, { base, revision }).changes
}

test('a change after which a recorded request is invalid is never safe for the client, and those that hurt it are of this kind', async () => {
  const found = { missed: [] as unknown[], wrong: [] as unknown[], runs: 0, broken: 0, hurts: 0, mayHurt: 0, unknown: 0 }
  const count = runsOr(40, 5_000)
  for (let index = 0; found.runs < count; index++) {
    const random = createRandom(seed + index)
    const mediaType = random.of(mediaTypes)
    for (const made of makePairs(random)) {
      if (made.position !== 'body' && made.position !== 'text') break
      const keys = { statusCode: '204', mediaType }
      const pair: BehaviorPair = { ...made, keys: [keys, keys] }
      const requests = makeRequests(pair, random)
      if (requests.length === 0) continue
      found.runs++
      const [isSent, isAccepted] = toRequestJudges(pair)
      const values = requests.flatMap(readWire)
      const broken = values.filter((value) => isSent(value) && !isAccepted(value))
      const changes = await simulate(pair, requests)
      const effects = changes.flatMap(({ clients = [] }) => clients.map(({ effect }) => effect))
      if (broken.length > 0) found.broken++
      if (effects.includes('unknown')) found.unknown++
      else if (effects.includes('hurts')) found.hurts++
      else if (effects.includes('may-hurt')) found.mayHurt++
      const shown = () => ({
        broken,
        values,
        base: pair.base,
        revision: pair.revision,
        changes: changes.map(({ code, message, base, revision, clients }) => [
          code,
          message,
          base?.pointer,
          revision?.pointer,
          clients,
        ]),
      })
      if (broken.length > 0 && !effects.some((effect) => /hurt|unknown/.test(effect))) found.missed.push(shown())
      if (broken.length === 0 && effects.includes('hurts')) found.wrong.push(shown())
    }
  }
  const { missed, wrong, ...counts } = found
  console.log(`${seed}: ${JSON.stringify(counts)}, ${missed.length} missed, ${wrong.length} wrong`)
  expect({ missed, wrong: wrong.slice(0, 20).map((one) => JSON.stringify(one)) }).toEqual({ missed: [], wrong: [] })
  expect(counts.broken).toBeGreaterThan(0)
}, 3_600_000)
