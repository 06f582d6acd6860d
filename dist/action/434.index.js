export const id = 434;
export const ids = [434];
export const modules = {

/***/ 9434:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   hasNewerRun: () => (/* binding */ hasNewerRun)
/* harmony export */ });
/* unused harmony exports listRepositoryFiles, readRepositoryFile, mayWrite, findPermission, listCollaborators */
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2027);
/* harmony import */ var _call_github_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(28);


/** Lists the files of a commit without reading them. @throws {GitHubError} */
async function listRepositoryFiles(client, repository, sha) {
    const about = { operation: 'list files', on: nameRepository(repository, sha), permission: 'contents: read' };
    const { data } = await callGitHub(about, () => client.rest.git.getTree({ ...repository, tree_sha: sha, recursive: 'true' }));
    const isFile = (mode) => mode === '100644' || mode === '100755';
    const paths = data.tree.flatMap(({ path, mode }) => (isFile(mode) && path !== undefined ? [path] : []));
    return { paths: paths.sort(), isTruncated: data.truncated };
}
/**
 * Reads a small file; `undefined` if there is none.
 *
 * @param sha The commit. Default: the tip of the default branch.
 * @throws {GitHubError} `refused` for a file over 1 MB, because this response would not contain its content.
 */
async function readRepositoryFile(client, repository, sha, path) {
    const about = { operation: `read \`${path.slice(0, 200)}\``, on: nameRepository(repository, sha), permission: 'contents: read' };
    try {
        const { data } = await callGitHub(about, () => client.rest.repos.getContent({ ...repository, path, ...(sha === undefined ? {} : { ref: sha }) }));
        if (Array.isArray(data) || data.type !== 'file')
            return undefined;
        if (data.encoding !== 'base64') {
            throw new GitHubError(`Cannot ${about.operation} on ${about.on}: the file is larger than 1 MB`, {
                failure: 'refused',
                operation: about.operation,
            });
        }
        return Buffer.from(data.content, 'base64');
    }
    catch (error) {
        if (error instanceof GitHubError && error.failure === 'not-found')
            return undefined;
        throw error;
    }
}
/**
 * Whether a person may write to a repository. Checked before an action they request.
 *
 * @param person With `id`, the login must still belong to that account: logins can change hands.
 * @throws {GitHubError} when the request fails. An unknown login may not write.
 */
async function mayWrite(client, repository, person) {
    const permission = await findPermission(client, repository, person);
    return permission === 'write' || permission === 'admin';
}
/**
 * The access of a person to a repository; `undefined` for none.
 *
 * @throws {GitHubError} when the request fails.
 */
async function findPermission(client, repository, { login, id }) {
    const about = { operation: 'check the permission of a user', on: nameRepository(repository), permission: 'metadata: read' };
    try {
        const { data } = await callGitHub(about, () => client.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: login }));
        if (id !== undefined && data.user?.id !== id)
            return undefined;
        const { permission } = data;
        return permission === 'admin' || permission === 'write' || permission === 'read' ? permission : undefined;
    }
    catch (error) {
        if (error instanceof GitHubError && error.failure === 'not-found')
            return undefined;
        throw error;
    }
}
/** The first 100 people with access to a repository, including the members of its organization. @throws {GitHubError} */
async function listCollaborators(client, repository) {
    const about = { operation: 'list collaborators', on: nameRepository(repository), permission: 'metadata: read' };
    const { data } = await callGitHub(about, () => client.rest.repos.listCollaborators({ ...repository, per_page: 100 }));
    return data.map(({ login, role_name: role, permissions }) => ({
        login,
        role,
        level: permissions?.admin ? 'admin' : permissions?.push || permissions?.maintain ? 'write' : 'read',
    }));
}
/**
 * Whether a newer run of a workflow on a commit is queued, running or successful. Undefined when the token lacks `actions: read`.
 *
 * @throws {GitHubError}
 */
async function hasNewerRun(client, repository, run) {
    const about = { operation: 'list workflow runs', on: (0,_call_github_js__WEBPACK_IMPORTED_MODULE_1__/* .nameRepository */ .KL)(repository, run.sha), permission: 'actions: read' };
    try {
        const { data } = await (0,_call_github_js__WEBPACK_IMPORTED_MODULE_1__/* .callGitHub */ .ur)(about, () => client.rest.actions.listWorkflowRuns({ ...repository, workflow_id: run.workflow, head_sha: run.sha, per_page: 100 }));
        return data.workflow_runs.some(({ run_number: number, status, conclusion }) => number > run.runNumber && (status !== 'completed' || conclusion === 'success'));
    }
    catch (error) {
        if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_ && (error.failure === 'forbidden' || error.failure === 'not-found'))
            return undefined;
        throw error;
    }
}


/***/ })

};
