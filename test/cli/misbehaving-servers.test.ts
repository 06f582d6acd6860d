import { misbehaviors, refusals, testServers } from './misbehaving-servers.ts'

// `test/nightly/misbehaving-servers.test.ts` has all responses.
const chosen = ['a chunk that is cut', 'a reset after 5/10', 'gzip that is cut', 'status 503', 'an HTML page']

testServers(Object.fromEntries(Object.entries(misbehaviors).filter(([name]) => chosen.includes(name))), refusals.slice(0, 1))
