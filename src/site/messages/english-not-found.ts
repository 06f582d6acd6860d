/** Texts of the script of the 404 page. */
export const notFound = {
  noMatch: 'No page has a similar path.',
} as const
