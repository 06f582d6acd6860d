import { writeSync } from 'node:fs'
import { finishUpdate, type Project, queueUpdate, startUpdate } from '../../src/status/update-record.ts'
import { openSqliteStore, type Store } from '../../src/store/store.ts'

// A process that works on a store and says on stdout, a line each, what the store has acknowledged; to be run beside others and killed.
//   node store-process.ts <path> <repositoryId> writer|worker <name> [count]

const [path = '', repositoryId = '', role = '', name = '', count = '1000000'] = process.argv.slice(2)

/** Written synchronously: buffered output would be lost when the process is killed. */
const say = (line: string) => writeSync(1, `${line}\n`)
const time = () => new Date().toISOString()

const store = await openSqliteStore({ path })
if (role === 'writer') await write(store)
else await work(store)
await store.close()

async function findProject(): Promise<Project> {
  const [project] = await store.projects.findByRepository(Number(repositoryId))
  if (!project) throw new Error(`No project of repository ${repositoryId}`)
  return project
}

async function write(to: Store): Promise<void> {
  const project = await findProject()
  for (let index = 0; index < Number(count); index++) {
    const update = queueUpdate({
      id: to.newId(),
      projectId: project.id,
      subdomain: project.subdomain,
      createdAt: time(),
      author: name,
      commit: {
        sha: `${index.toString(16)}${'0'.repeat(40)}`.slice(0, 40),
        ref: `refs/heads/${name}-${index % 100}`,
        message: `commit ${index} of ${name}`,
        filesChanged: { added: [], modified: ['openapi.yaml'], removed: [] },
      },
      source: 'github-app-installation',
    })
    const delivery = { id: `${name}-${update._id}`, event: 'push' }
    const result = await to.accept({
      delivery,
      updates: [{ update, details: { trigger: 'push', before: '0'.repeat(40) }, once: 'always' }],
    })
    if (result.kind === 'accepted') say(`accepted ${update._id} ${delivery.id}`)
  }
}

async function work(on: Store): Promise<void> {
  for (let idle = 0; idle < 200; idle++) {
    const job = await on.queue.claim({ worker: name, leaseMs: 400 })
    if (!job) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      continue
    }
    idle = 0
    if (job.kind === 'run') {
      const { update } = job.stored
      if (update.endedAt !== undefined) throw new Error(`Claimed an ended update: ${update._id}`)
      const running = update.status === 'queued' ? startUpdate(update, `Run by ${name}`) : update
      if (!(await on.queue.save(job.lease, running))) continue
      const ended = finishUpdate(running, {
        status: 'success',
        summary: `Run by ${name}, attempt ${job.lease.attempt}`,
        endedAt: time(),
      })
      if (await on.queue.finish(job.lease, ended, { report: '{}' })) say(`finished ${update._id} ${ended.summary}`)
    }
    if (await on.queue.complete(job.lease)) say(`completed ${job.lease.jobId}`)
  }
}
