import type { DatabaseSync } from 'node:sqlite'
import type { Project } from '../../src/status/update-record.ts'
import { newUpdate } from './new-update.ts'

/**
 * Fills a migrated SQLite store with ended records of about 1 KB, their deliveries and push keys, in bulk: 100 projects, 20 branches each.
 *
 * Answers the project that has the first of them. The records are older than any that a store makes now.
 */
export function fillStore(database: DatabaseSync, count: number): Project {
  const project: Project = {
    id: toProjectId(0),
    installationId: 1,
    repositoryId: 1_000_000,
    owner: 'acme',
    repo: 'api-0',
    root: '',
    hasDocsConfig: true,
    defaultBranch: 'main',
    private: false,
    subdomain: 'acme-api-0',
    enabled: true,
    siteAccess: 'repository',
    createdAt: '2026-01-01T00:00:00.000Z',
  }
  const addProject = database.prepare(
    `insert into projects values (?, 1, ?, 'acme', ?, '', 1, 'main', 0, ?, 1, '2026-01-01T00:00:00.000Z', 'repository', null, 0, null, null, null, null, null, '[]')`,
  )
  const addUpdate = database.prepare('insert into updates values (?, ?, ?, ?, ?, ?, ?, 3, ?, ?)')
  const addChanges = database.prepare(`insert into api_changes values (?, ?, ?, ?, 1, 0, 2, 0, 3, null)`)
  const addDelivery = database.prepare(`insert into deliveries values (?, 'push', ?)`)
  const addKey = database.prepare('insert into push_keys values (?, ?, ?, ?, ?, ?)')
  database.exec('begin')
  for (let index = 0; index < 100; index++)
    addProject.run(toProjectId(index), 1_000_000 + index, `api-${index}`, `acme-api-${index}`)
  for (let index = 0; index < count; index++) {
    addRecord(index)
    if (index % 10_000 === 0) database.exec('commit; begin')
  }
  database.exec('commit')
  return project

  function addRecord(index: number): void {
    const time = new Date(Date.parse('2026-01-01T00:00:00.000Z') + index * 1000).toISOString()
    const timeHex = Date.parse(time).toString(16).padStart(12, '0')
    const id = `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`
    const projectId = toProjectId(index % 100)
    const ref = Math.floor(index / 100) % 20 === 0 ? 'refs/heads/main' : `refs/heads/feature-${Math.floor(index / 100) % 20}`
    const status = index % 7 === 0 ? 'failure' : 'success'
    const queued = newUpdate({ _id: id, projectId, createdAt: time, sha: toSha(index + 1), ref })
    const logs = Array.from({ length: 6 }, (_value, line) => `Step ${line + 1}: openapi.yaml has 214 operations and 31 schemas`)
    const record = JSON.stringify({ ...queued, status, endedAt: time, summary: 'Valid: 1 document, 214 operations.', logs })
    addUpdate.run(id, projectId, status, ref, toSha(index + 1), time, time, record, '{"trigger":"push"}')
    if (index % 2 === 0) addChanges.run(id, projectId, ref, toSha(index + 1))
    addDelivery.run(`${id.slice(-12)}-delivery-of-github-0`, time)
    addKey.run(projectId, ref, toSha(index), toSha(index + 1), id, time)
  }
}

function toProjectId(index: number): string {
  return `prj_${index.toString(16).padStart(24, '0')}`
}

/** Spread like real ones. */
function toSha(index: number): string {
  return Array.from({ length: 5 }, (_value, part) => Math.imul(index * 5 + part, 2_654_435_761) >>> 0)
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('')
}
