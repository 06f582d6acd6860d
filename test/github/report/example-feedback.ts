import type { Feedback } from '../../../src/github/report/feedback.ts'

/** What a run found in a commit: nothing, unless a test says otherwise. */
export const makeFeedback = (over: Partial<Feedback> = {}): Feedback => ({
  headSha: '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
  webUrl: 'https://github.com/acme/api',
  pagesAre: 'planned',
  detailsUrl: 'https://docs.example.com/updates/1',
  documents: [],
  pages: [],
  diagnostics: [],
  notes: [],
  ...over,
})
