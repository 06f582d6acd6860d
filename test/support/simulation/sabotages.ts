import type { Store } from '../../../src/store/store.ts'

/** A rule of the app, broken in every process: so that it is known that the simulation notices it. */
export type Sabotage = keyof typeof sabotages

export const sabotages = {
  /** Acknowledges the webhooks of pull requests without storing their work. */
  'loses-work': (store) => ({
    ...store,
    accept: ({ updates = [], tasks = [], ...input }) =>
      store.accept(input.delivery?.event.startsWith('pull_request') ? input : { ...input, updates, tasks }),
  }),
  /** Believes GitHub when it refuses something. */
  'ends-promises': (store) => ({
    ...store,
    queue: {
      ...store.queue,
      retry: async (lease, options) => {
        if (!options.isRefused || !(await store.queue.complete(lease))) return await store.queue.retry(lease, options)
        return { kind: 'given-up' }
      },
    },
  }),
  /** Does not hide the site of a repository that becomes private. */
  'ignores-visibility': (store) => ({
    ...store,
    accept: ({ projectChanges = [], tasks = [], ...input }) =>
      store.accept({
        ...input,
        projectChanges: projectChanges.filter(({ kind }) => kind !== 'tighten'),
        // Those with updates carry the work of a webhook.
        tasks: tasks.filter(({ name, payload }) => name !== 'confirm' || payload.includes('"updates"')),
      }),
  }),
  /** Does not delete what was removed. */
  'keeps-removed': (store) => ({
    ...store,
    projects: {
      ...store.projects,
      apply: (changes) => store.projects.apply(changes.filter(({ kind }) => kind !== 'delete-repository')),
    },
  }),
  /** Publishes nothing once a project has a site. */
  'never-publishes': (store) => ({
    ...store,
    queue: {
      ...store.queue,
      finish: async (lease, update, results = {}) => {
        const isPublished = (await store.sites.findPublished(update.projectId)) !== undefined
        const { site } = results
        return await store.queue.finish(
          lease,
          update,
          isPublished && site ? { ...results, site: { ...site, publish: 'never' } } : results,
        )
      },
    },
  }),
  /** Publishes the site of every commit of the default branch, wherever the branch is. */
  'publishes-old-commits': (store) => ({
    ...store,
    queue: {
      ...store.queue,
      finish: (lease, update, { site, ...results } = {}) =>
        store.queue.finish(lease, update, site ? { ...results, site: { ...site, publish: 'always' } } : results),
    },
  }),
} as const satisfies Readonly<Record<string, (store: Store) => Store>>
