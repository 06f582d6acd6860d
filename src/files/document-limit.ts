/** The largest document that is read, in bytes, where no setting says otherwise: 64 MiB. */
export const defaultDocumentLimitBytes = 64 * 1024 * 1024
