import { describe, expect, test } from 'vitest'
import { isPublicAddress, type PublicNetwork, publicNetwork, requestPublic } from '../../src/files/network.ts'
import { selfSigned } from '../support/self-signed.ts'
import { serveHttps } from '../support/serve-https.ts'

describe('isPublicAddress', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.0.1',
    '172.31.255.255',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.0.192',
    '198.18.0.1',
    '100.100.100.200',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2001::1',
    'fec0::1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'localhost',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['140.82.121.4', '8.8.8.8', '172.32.0.1', '2606:50c0:8000::153', '2a00:1450:4001::1'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

/** Serves on this machine, and returns the requested paths. */
async function serveTarget() {
  const asked: string[] = []
  const origin = await serveHttps((request, response) => {
    asked.push(request.url ?? '')
    response.end('inside')
  })
  return { asked, port: new URL(origin).port }
}

/** A network with its own names. `answers` are the addresses of each lookup. */
function createNetwork(answers: readonly (readonly string[])[], isAllowed = publicNetwork.isAllowed) {
  const asked: string[] = []
  const network: PublicNetwork = {
    lookUp: (host, _options, done) => {
      const addresses = answers[asked.length] ?? []
      asked.push(host)
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
    isAllowed,
    certificates: selfSigned.cert,
  }
  return { network, asked }
}

/** The status of the response, or the message of the error. */
const get = (url: string, network: PublicNetwork) =>
  new Promise<number | string>((resolve) => {
    try {
      requestPublic(new URL(url), { signal: AbortSignal.timeout(5_000) }, network)
        .once('response', (response) => resolve(response.destroy().statusCode ?? 0))
        .once('error', (error) => resolve(error.message))
        .end()
    } catch (error) {
      resolve(error instanceof Error ? error.message : '')
    }
  })

describe('requestPublic', () => {
  test.each([
    ['a loopback address', ['127.0.0.1']],
    ['the metadata address', ['169.254.169.254']],
    ['a private address next to a public one', ['8.8.8.8', '127.0.0.1']],
    ['an IPv4 address in IPv6', ['::ffff:127.0.0.1']],
    ['no address', []],
  ])('refuses a name that resolves to %s', async (_name, addresses) => {
    const { asked, port } = await serveTarget()
    const { network } = createNetwork([addresses])
    expect(await get(`https://localhost:${port}/`, network)).toBe('localhost has an IP address that is not public')
    expect(asked).toEqual([])
  })

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '127.1', '169.254.169.254', '10.0.0.1'])(
    'refuses %s without a lookup',
    async (host) => {
      const { asked, port } = await serveTarget()
      const { network, asked: looked } = createNetwork([['8.8.8.8']])
      expect(await get(`https://${host}:${port}/`, network)).toMatch(/ has an IP address that is not public$/)
      expect([asked, looked]).toEqual([[], []])
    },
  )

  test('connects to the checked address, and looks a name up once for each connection', async () => {
    const { asked, port } = await serveTarget()
    // A rebinding name server: the first response passes the check, the next ones point inside.
    const { network, asked: looked } = createNetwork(
      [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']],
      (address) => address === '127.0.0.1',
    )
    expect(await get(`https://localhost:${port}/first`, network)).toBe(200)
    expect(looked).toEqual(['localhost'])
    expect(await get(`https://localhost:${port}/second`, network)).toBe('localhost has an IP address that is not public')
    expect(asked).toEqual(['/first'])
  })

  test('verifies certificates, and refuses other protocols', async () => {
    const { port } = await serveTarget()
    const { network } = createNetwork([['127.0.0.1']], () => true)
    const { certificates: _certificates, ...strict } = network
    expect(await get(`https://localhost:${port}/`, strict)).toMatch(/self-signed certificate/)
    expect(await get(`http://localhost:${port}/`, network)).toBe('Expected an https URL')
  })
})
