/** Its name in an output folder. It says which files are ours by hashes alone, so that a server which shows it tells nothing of hidden pages. */
export const manifestName = '.openapi-pages.json'
