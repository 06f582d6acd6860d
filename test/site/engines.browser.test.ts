import { expect, test } from 'vitest'
import { serveViews } from '../support/engine-views.ts'
import { compareEngines } from '../support/page-look.ts'

// `test/nightly/engines.test.ts` has the other widths and the dark theme.
test('readers see the same in Chromium, Firefox and WebKit, and what is chosen in forced colors', async () => {
  expect(await compareEngines(await serveViews(), [1440], ['light'])).toBe('')
})
