import { misbehaviors, refusals, testServers } from '../cli/misbehaving-servers.ts'

testServers(misbehaviors, refusals)
