/** The longest comment and the longest search, in UTF-16 code units. */
export const feedbackLimits = { comment: 1_000, search: 100 } as const
