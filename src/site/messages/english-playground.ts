/** Texts of the playground. In a file of its own, because the scripts of the playground contain it. */
export const playground = {
  title: 'Playground',
} as const
