import { expect, test } from 'vitest'
import { addProject, createClock, type OpenStore } from './store-fixture.ts'

export function describeFeedback(openStore: OpenStore): void {
  const day = 24 * 3_600_000

  async function open() {
    const clock = createClock()
    const { store } = await openStore({ now: clock.now })
    return { store, clock, project: await addProject(store) }
  }

  test('counts answers by page and searches by query, with the comments of answers', async () => {
    const { store, project } = await open()
    for (const answer of ['yes', 'no', 'no'] as const)
      expect(await store.feedback.add(project, { kind: 'answer', page: '/pets/', answer })).toBe(true)
    await store.feedback.add(project, { kind: 'answer', page: '/', answer: 'yes' })
    for (const comment of ['No example', 'Zoë’s “cat” 🐈\n\'"`'])
      await store.feedback.add(project, { kind: 'comment', page: '/pets/', answer: 'no', comment })
    for (const query of ['cats', 'dogs', 'dogs']) await store.feedback.add(project, { kind: 'search', query })
    const other = await addProject(store, { repositoryId: 200 })
    await store.feedback.add(other, { kind: 'search', query: 'other' })
    expect(await store.feedback.listWeeks(project.id)).toEqual(['2026-11-16'])
    expect(await store.feedback.read(project.id, '2026-11-16')).toEqual({
      pages: [
        {
          page: '/pets/',
          yes: 1,
          no: 2,
          comments: [
            { answer: 'no', comment: 'Zoë’s “cat” 🐈\n\'"`' },
            { answer: 'no', comment: 'No example' },
          ],
        },
        { page: '/', yes: 1, no: 0, comments: [] },
      ],
      searches: [
        { query: 'dogs', count: 2 },
        { query: 'cats', count: 1 },
      ],
    })
  })

  test('begins a week on Monday, and keeps it for a year', async () => {
    const { store, clock, project } = await open()
    const add = () => store.feedback.add(project, { kind: 'answer', page: '/', answer: 'no' })
    const comment = () => store.feedback.add(project, { kind: 'comment', page: '/', answer: 'no', comment: 'Why?' })
    // Friday to Sunday, then Monday.
    for (let index = 0; index < 4; index++) {
      await add()
      await comment()
      clock.advance(day)
    }
    expect(await store.feedback.listWeeks(project.id)).toEqual(['2026-11-23', '2026-11-16'])
    expect((await store.feedback.read(project.id, '2026-11-16')).pages).toMatchObject([{ no: 3, comments: [{}, {}, {}] }])
    clock.advance(361 * day)
    await store.prune()
    expect(await store.feedback.listWeeks(project.id)).toEqual(['2026-11-23'])
    expect(await store.feedback.read(project.id, '2026-11-16')).toEqual({ pages: [], searches: [] })
  })

  test('keeps a limited number of pages, searches and comments for each week', async () => {
    const { store, clock, project } = await open()
    const search = (query: string) => store.feedback.add(project, { kind: 'search', query })
    for (let index = 0; index < 500; index++) await search(`query ${index}`)
    expect([await search('one more'), await search('query 7')]).toEqual([false, true])
    // Each kind has its own limit.
    expect(await store.feedback.add(project, { kind: 'answer', page: '/', answer: 'no' })).toBe(true)
    for (let index = 0; index <= 100; index++)
      await store.feedback.add(project, { kind: 'comment', page: '/', answer: 'no', comment: `${index}` })
    const { pages, searches } = await store.feedback.read(project.id, '2026-11-16')
    expect([searches.length, searches[0]]).toEqual([500, { query: 'query 7', count: 2 }])
    expect(pages[0]?.comments.map(({ comment }) => Number(comment))).toEqual(
      Array.from({ length: 100 }, (_, index) => 100 - index),
    )
    clock.advance(7 * day)
    expect(await search('one more')).toBe(true)
  })

  test('purges the feedback of a deleted project, and accepts none afterwards', async () => {
    const { store, clock, project } = await open()
    await store.feedback.add(project, { kind: 'answer', page: '/', answer: 'no' })
    await store.feedback.add(project, { kind: 'comment', page: '/', answer: 'no', comment: 'Why?' })
    await store.projects.apply([{ kind: 'delete-project', projectId: project.id }])
    clock.advance(31 * day)
    await store.prune()
    expect(await store.feedback.add(project, { kind: 'search', query: 'cats' })).toBe(false)
    expect(await store.feedback.listWeeks(project.id)).toEqual([])
    expect(await store.feedback.read(project.id, '2026-11-16')).toEqual({ pages: [], searches: [] })
  })
}
