import { describe } from 'vitest'
import { describeAccept } from './contract-accept.ts'
import { describeApiChanges } from './contract-api-changes.ts'
import { describeLeases } from './contract-leases.ts'
import { describeLocks } from './contract-locks.ts'
import { describeProjects } from './contract-projects.ts'
import { describeQueue, describeQueueOrder } from './contract-queue.ts'
import { describeSecrets } from './contract-secrets.ts'
import { describePasses, describeSessions } from './contract-sessions.ts'
import { describeManyContents, describeSites } from './contract-sites.ts'
import { describeStatuses } from './contract-statuses.ts'
import { describeTips } from './contract-tips.ts'
import { describeTokens } from './contract-tokens.ts'
import type { OpenStore } from './store-fixture.ts'

// The tests of the `Store` interface (`src/store/store.ts`), for every database. In two files each, which run at the same time.

export function describeUpdates(openStore: OpenStore): void {
  describe('accept', () => describeAccept(openStore))
  describe('statuses', () => describeStatuses(openStore))
  describe('queue', () => describeQueue(openStore))
  describe('order of the queue', () => describeQueueOrder(openStore))
  describe('leases', () => describeLeases(openStore))
  describe('locks', () => describeLocks(openStore))
  describe('tips of branches', () => describeTips(openStore))
}

export function describeProjectData(openStore: OpenStore): void {
  describe('API changes', () => describeApiChanges(openStore))
  describe('projects', () => describeProjects(openStore))
  describe('sites', () => describeSites(openStore))
  describe('many contents of sites', () => describeManyContents(openStore))
  describe('passes', () => describePasses(openStore))
  describe('sessions', () => describeSessions(openStore))
  describe('secrets and turns', () => describeSecrets(openStore))
  describe('tokens and audit', () => describeTokens(openStore))
}
