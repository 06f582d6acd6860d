/**
 * What the pages of a site send with `site.feedback`, as JSON: to `feedbackPath` of the app that hosts the site, or to a URL of its owner.
 *
 * An answer is sent twice if it has a comment: first alone, which counts it, and then with the comment. There are no identifiers.
 */
export type FeedbackMessage =
  /** `page` is the path of the page in the site, such as `/guides/start/`, encoded as in URLs. */
  | { readonly page: string; readonly answer: 'yes' | 'no'; readonly comment?: string }
  /** A search without results. */
  | { readonly search: string }

/** The path on each host of a site of the app. */
export const feedbackPath = '/_openapi-pages/feedback'

/** The longest comment and the longest search, in UTF-16 code units. */
export const feedbackLimits = { comment: 1_000, search: 100 } as const
