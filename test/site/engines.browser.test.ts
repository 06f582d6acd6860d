import { expect, test } from 'vitest'
import { openView, serveViews } from '../support/engine-views.ts'
import { startEngines } from '../support/engines.ts'
import { compareLooks, readLook } from '../support/page-look.ts'

test('readers see the same in three engines', async () => {
  const engines = await startEngines()
  const differences: string[] = []
  const t0 = Date.now()
  const T = (x: string) => console.log('T', Date.now() - t0, x)
  const vs = await serveViews()
  T('served')
  for (const view of vs) {
    const [expected, ...others] = await Promise.all(
      engines.map(async (engine) => {
        await openView(engine, view, 1440)
        T(engine.name + view.name)
        return { name: engine.name, look: await readLook(engine) }
      }),
    )
    T(view.name)
    for (const { name, look } of others) {
      if (expected) differences.push(...compareLooks(expected.look, look).map((one) => `${name}, ${view.name}: ${one}`))
    }
  }
  expect(differences.join('\n')).toBe('')
})
