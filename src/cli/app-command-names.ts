/** The commands of the app, which a program of its own runs (see bin/openapi-pages.cjs): named here for help and suggestions. */
export const appCommandNames = ['serve', 'doctor', 'token', 'project', 'backup', 'reconcile'] as const
