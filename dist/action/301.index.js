export const id = 301;
export const ids = [301];
export const modules = {

/***/ 9682:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   closeProposal: () => (/* binding */ closeProposal)
/* harmony export */ });
/* harmony import */ var _git_find_remote_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5682);
/* harmony import */ var _git_read_tips_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5436);
/* harmony import */ var _github_pull_request_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4734);
/* harmony import */ var _github_update_branches_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5804);
/* harmony import */ var _delivery_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3432);
/* harmony import */ var _is_own_branch_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2085);
/* harmony import */ var _own_branches_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9555);
/* harmony import */ var _pull_request_body_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9664);








/**
 * Closes the pull request of a branch that has nothing left to do, with a word, and deletes its branch; undefined where there is none.
 * What has commits of somebody else, or was opened by somebody else, is left as it is.
 *
 * @param expectedBaseSha elsewhere than here the branch may have something left to do, so nothing is closed.
 *
 * @throws {GitError | GitHubError}
 */
async function closeProposal({ git, branch: base, inputs }, { open, repository }, expectedBaseSha) {
    const head = (0,_own_branches_js__WEBPACK_IMPORTED_MODULE_6__/* .toHeadBranch */ ._L)(base);
    const tips = await (0,_git_read_tips_js__WEBPACK_IMPORTED_MODULE_1__/* .readTips */ .P)(git, await (0,_git_find_remote_js__WEBPACK_IMPORTED_MODULE_0__/* .findRemote */ ._)(git, inputs.token), [base, head]);
    const [baseSha, headSha] = [tips.get(base), tips.get(head)];
    if (baseSha === undefined || headSha === undefined)
        return undefined;
    if (expectedBaseSha !== undefined && expectedBaseSha !== baseSha)
        return undefined;
    const client = await open();
    const pull = await (0,_github_pull_request_js__WEBPACK_IMPORTED_MODULE_2__/* .findPullRequest */ ._f)(client, repository, { head, base });
    const marker = (0,_pull_request_body_js__WEBPACK_IMPORTED_MODULE_5__/* .parsePullRequestMarker */ .w6)(pull?.body ?? '');
    const foreign = await (0,_is_own_branch_js__WEBPACK_IMPORTED_MODULE_4__/* .findForeignCommit */ .N)(client, repository, { baseSha, headSha, markedSha: marker?.headSha });
    const found = pull && { pullRequest: { number: pull.number, url: pull.url } };
    if (foreign || (pull && !marker)) {
        const why = foreign ? `has a commit that is not ours (\`${foreign.sha.slice(0, 7)}\`)` : 'has a pull request that is not ours';
        const notes = [`Nothing is left to do for \`${base}\`; \`${head}\` ${why} and is left as it is.`];
        return (0,_delivery_js__WEBPACK_IMPORTED_MODULE_7__/* .toDelivery */ .M)({ operation: 'pull-request-kept', branch: head, ...found, notes });
    }
    if (pull) {
        const reason = `Nothing is left to do: the API pages of \`${base}\` are up to date.`;
        await (0,_github_pull_request_js__WEBPACK_IMPORTED_MODULE_2__/* .closePullRequest */ .d6)(client, repository, { number: pull.number, reason });
    }
    // Somebody who pushes to it at this moment keeps it.
    await (0,_github_update_branches_js__WEBPACK_IMPORTED_MODULE_3__/* .moveBranches */ .K)(client, repository, [{ branch: head, from: headSha, to: undefined, isOurs: true }]);
    return pull && (0,_delivery_js__WEBPACK_IMPORTED_MODULE_7__/* .toDelivery */ .M)({ operation: 'pull-request-closed', branch: head, ...found });
}


/***/ }),

/***/ 2085:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  N: () => (/* binding */ findForeignCommit)
});

// EXTERNAL MODULE: ./build/js/github/call-github.js
var call_github = __webpack_require__(28);
;// CONCATENATED MODULE: ./build/js/github/branch-commits.js

/** More commits than this are not looked at: GitHub gives them by the page, and ours are a few. */
const limit = 100;
/**
 * Lists the commits that a branch has and its base has not, oldest first; undefined where there are too many to look at.
 *
 * @throws {GitHubError}
 */
async function listCommitsSince(client, repository, baseSha, headSha) {
    const about = { operation: 'compare commits', on: (0,call_github/* nameRepository */.KL)(repository, headSha), permission: 'contents: read' };
    const { data } = await (0,call_github/* callGitHub */.ur)(about, () => client.rest.repos.compareCommitsWithBasehead({ ...repository, basehead: `${baseSha}...${headSha}`, per_page: limit }));
    if (data.total_commits > data.commits.length)
        return undefined;
    return data.commits.map(({ sha, commit, parents }) => ({
        sha,
        message: commit.message,
        authorName: commit.author?.name ?? '',
        authorEmail: commit.author?.email ?? '',
        committerEmail: commit.committer?.email ?? '',
        parentCount: parents.length,
    }));
}

// EXTERNAL MODULE: ./build/js/action/delivery/source-hash.js
var source_hash = __webpack_require__(9174);
// EXTERNAL MODULE: ./build/js/action/delivery/trailers.js
var trailers = __webpack_require__(640);
;// CONCATENATED MODULE: ./build/js/action/delivery/is-own-branch.js



/**
 * Finds out whose a branch is: undefined where all of it is ours, else the first commit that is not. A branch with too many commits to
 * look at is not ours.
 *
 * @throws {GitHubError}
 */
async function findForeignCommit(client, repository, { baseSha, headSha, markedSha }) {
    if (markedSha === headSha)
        return undefined;
    const commits = await listCommitsSince(client, repository, baseSha, headSha);
    return commits === undefined ? { sha: headSha, authorName: '' } : commits.find((commit) => !isOwn(commit));
}
/**
 * A commit that somebody has amended keeps its message and its author; but then another one has committed it. What GitHub has made is
 * committed by GitHub (`noreply@…`), also on a server of one's own.
 */
function isOwn({ message, parentCount, authorEmail, committerEmail }) {
    const hasTrailer = (0,trailers/* readTrailers */.t)(message).some(([name]) => name === source_hash/* sourceTrailer */.ru || name === source_hash/* partTrailer */.v8);
    const isUntouched = committerEmail === authorEmail || committerEmail.startsWith('noreply@');
    return hasTrailer && isUntouched && parentCount === 1;
}


/***/ }),

/***/ 4734:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  d6: () => (/* binding */ closePullRequest),
  jC: () => (/* binding */ createPullRequest),
  _f: () => (/* binding */ findPullRequest),
  Ku: () => (/* binding */ updatePullRequest)
});

// UNUSED EXPORTS: readPullRequestTrust

// EXTERNAL MODULE: ./build/js/errors.js
var errors = __webpack_require__(2027);
// EXTERNAL MODULE: ./build/js/github/call-github.js
var call_github = __webpack_require__(28);
;// CONCATENATED MODULE: ./build/js/github/commits.js


/**
 * Looks up a commit by its id or by a ref such as `refs/heads/main`; `undefined` where there is none.
 *
 * @throws {GitHubError}
 */
async function findCommit(client, repository, ref) {
    const about = {
        operation: 'read commit',
        on: `${nameRepository(repository)} \`${ref.slice(0, 200)}\``,
        permission: 'contents: read',
    };
    try {
        const { data } = await callGitHub(about, () => client.rest.repos.getCommit({ ...repository, ref: ref.replace(/^refs\//, ''), per_page: 1 }));
        return {
            sha: data.sha,
            message: data.commit.message,
            author: data.author?.login ?? data.commit.author?.name ?? '',
            parents: data.parents.map(({ sha }) => sha),
        };
    }
    catch (error) {
        // GitHub answers 422 for a text that could be a commit id and is none, 404 for the rest.
        if (error instanceof GitHubError && (error.failure === 'not-found' || error.status === 422))
            return undefined;
        throw error;
    }
}
/** The open pull requests whose head is a branch of this repository. @throws {GitHubError} */
async function listPullRequestsOfBranch(client, repository, branch) {
    const about = { operation: 'list pull requests', on: (0,call_github/* nameRepository */.KL)(repository), permission: 'pull_requests: read' };
    const pulls = await (0,call_github/* callGitHub */.ur)(about, () => client.paginate(client.rest.pulls.list, {
        ...repository,
        state: 'open',
        head: `${repository.owner}:${branch}`,
        per_page: 100,
    }));
    return pulls.map((pull) => ({
        number: pull.number,
        url: pull.html_url,
        body: pull.body ?? '',
        headSha: pull.head.sha,
        headRef: pull.head.ref,
        isSameRepository: pull.head.repo?.id === pull.base.repo.id,
        baseRef: pull.base.ref,
    }));
}

// EXTERNAL MODULE: ./build/js/github/pace-requests.js
var pace_requests = __webpack_require__(3580);
;// CONCATENATED MODULE: ./build/js/github/pull-request.js




const permission = 'pull_requests: write';
/** Reads one pull request; `undefined` where there is none. @throws {GitHubError} */
async function readPullRequestTrust(client, repository, pullNumber) {
    const about = {
        operation: 'read pull request',
        on: `${nameRepository(repository)} #${pullNumber}`,
        permission: 'pull_requests: read',
    };
    try {
        const { data } = await callGitHub(about, () => client.rest.pulls.get({ ...repository, pull_number: pullNumber }));
        // GitHub sends `null` for the repository of a fork that is gone, which its types leave out.
        const headRepository = data.head.repo;
        return {
            headSha: data.head.sha,
            isSameRepository: headRepository?.id === data.base.repo.id,
            authorAssociation: data.author_association,
        };
    }
    catch (error) {
        if (error instanceof GitHubError && error.failure === 'not-found')
            return undefined;
        throw error;
    }
}
/**
 * Finds the open pull request from one branch of a repository to another; GitHub lets there be one at most.
 *
 * @throws {GitHubError}
 */
async function findPullRequest(client, repository, { head, base }) {
    const pulls = await listPullRequestsOfBranch(client, repository, head);
    return pulls.find((pull) => pull.isSameRepository && pull.baseRef === base);
}
/**
 * Opens a pull request; gives the one that is there where somebody was faster.
 *
 * @throws {GitHubError} `forbidden` without `pull_requests: write`, or where Actions may not open pull requests.
 */
async function createPullRequest(client, repository, pull) {
    const about = { operation: 'open pull request', on: `${(0,call_github/* nameRepository */.KL)(repository)} from \`${pull.head}\``, permission };
    try {
        const { data } = await (0,call_github/* callGitHub */.ur)(about, () => client.rest.pulls.create({ ...repository, ...pull }));
        const info = {
            number: data.number,
            url: data.html_url,
            body: data.body ?? '',
            headSha: data.head.sha,
            headRef: data.head.ref,
            isSameRepository: true,
            baseRef: data.base.ref,
        };
        return { pull: info, isNew: true };
    }
    catch (error) {
        const mayBeThere = error instanceof errors/* GitHubError */.y_ && ['invalid', 'unreachable', 'unavailable'].includes(error.failure);
        const there = mayBeThere ? await findPullRequest(client, repository, pull) : undefined;
        if (there)
            return { pull: there, isNew: false };
        throw error;
    }
}
/** Sets the text of a pull request. @throws {GitHubError} */
async function updatePullRequest(client, repository, pull) {
    const about = { operation: 'update pull request', on: `${(0,call_github/* nameRepository */.KL)(repository)} #${pull.number}`, permission };
    await (0,call_github/* callGitHub */.ur)(about, () => client.rest.pulls.update({ ...repository, pull_number: pull.number, body: pull.body, request: pace_requests/* repeatable */.E }));
}
/** Closes a pull request and says why in a comment. @throws {GitHubError} */
async function closePullRequest(client, repository, { number, reason }) {
    const about = { operation: 'close pull request', on: `${(0,call_github/* nameRepository */.KL)(repository)} #${number}`, permission };
    await (0,call_github/* callGitHub */.ur)(about, () => client.rest.pulls.update({ ...repository, pull_number: number, state: 'closed', request: pace_requests/* repeatable */.E }));
    const comment = { ...repository, issue_number: number, body: reason };
    await (0,call_github/* callGitHub */.ur)({ ...about, operation: 'write comment' }, () => client.rest.issues.createComment(comment));
}


/***/ })

};
