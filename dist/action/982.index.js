export const id = 982;
export const ids = [982];
export const modules = {

/***/ 6982:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createPublishByApi: () => (/* binding */ createPublishByApi)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./build/js/errors.js
var errors = __webpack_require__(2027);
// EXTERNAL MODULE: ./build/js/git/to-git-error.js + 1 modules
var to_git_error = __webpack_require__(5740);
;// CONCATENATED MODULE: ./build/js/git/read-commit-changes.js


/**
 * Reads what a commit changes, with the contents that git keeps, to make the same commit elsewhere.
 *
 * @throws {GitError} for what GitHub's API cannot commit: executable files, links and submodules would become plain files there.
 */
async function readCommitChanges(git, commit) {
    const args = ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', commit.baseSha, commit.sha];
    const output = await git.run(args);
    if (output.code !== 0)
        throw (0,to_git_error/* toGitError */.K)('read the changes of the commit', output);
    const rows = readRows(output.stdout);
    const special = rows.find(({ mode, status }) => status !== 'D' && mode !== '100644');
    if (special) {
        throw new errors/* GitError */.XS(`Cannot commit \`${special.path}\` by the API: ${specialModes[special.mode] ?? 'it is no plain file'}`, {
            hint: 'the API of GitHub writes plain files only; use `commit-method: git`, or make it a plain file',
        });
    }
    const contents = await readBlobs(git, rows.filter(({ status }) => status !== 'D').map(({ blob }) => blob));
    return rows.map(({ path, status, blob }) => {
        if (status === 'D')
            return { kind: 'delete', path, before: '' };
        const content = contents.get(blob) ?? '';
        return status === 'A' ? { kind: 'add', path, content } : { kind: 'modify', path, before: '', content };
    });
}
const specialModes = {
    '100755': 'it is executable, which would be lost',
    '120000': 'it is a link, which would become a plain file',
    '160000': 'it is a submodule',
};
/** `:<old mode> <mode> <old blob> <blob> <status>`, then the path. */
function readRows(stdout) {
    const fields = stdout.split('\0');
    const rows = [];
    for (let index = 0; index + 1 < fields.length; index += 2) {
        const [, mode = '', , blob = '', status = ''] = fields[index]?.split(' ') ?? [];
        rows.push({ path: fields[index + 1] ?? '', mode, blob, status });
    }
    return rows;
}
/** All contents by one process, which answers `<id> blob <bytes>`, the content and a line break for each. */
async function readBlobs(git, blobs) {
    const output = await git.run(['cat-file', '--batch'], { input: blobs.map((blob) => `${blob}\n`).join('') });
    if (output.code !== 0)
        throw (0,to_git_error/* toGitError */.K)('read the files of the commit', output);
    const bytes = Buffer.from(output.stdout);
    const contents = new Map();
    let at = 0;
    while (at < bytes.length) {
        const end = bytes.indexOf(10, at);
        const [blob = '', , size = '0'] = bytes.toString('utf8', at, end).split(' ');
        contents.set(blob, bytes.toString('utf8', end + 1, end + 1 + Number(size)));
        at = end + 1 + Number(size) + 1;
    }
    return contents;
}

// EXTERNAL MODULE: ./build/js/github/call-github.js
var call_github = __webpack_require__(28);
// EXTERNAL MODULE: ./build/js/github/pace-requests.js
var pace_requests = __webpack_require__(3580);
;// CONCATENATED MODULE: ./build/js/github/commit-on-branch.js



/** The whole of what is sent; `test/real/fake-github.test.ts` holds it to GitHub's schema. */
const commitMutation = `mutation CommitOnBranch($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid url signature { isValid } } }
}`;
/** GitHub refuses requests over about 40 MB; contents are a third larger in base64. */
const contentLimitBytes = 25_000_000;
/**
 * Commits changed files to a branch in one request, signed by GitHub, and only if the branch is still where the changes were made.
 *
 * Paths are relative to the repository. Only plain text files: the request cannot carry modes or links.
 *
 * @throws {GitHubError} `forbidden` without `contents: write`, `refused` for more than 25 MB.
 */
async function commitOnBranch(client, repository, commit) {
    const { branch, expectedHeadSha, headline, body, changes } = commit;
    const name = `${repository.owner}/${repository.repo}`;
    const about = { operation: 'commit', on: `\`${name}\` branch \`${branch}\``, permission: 'contents: write' };
    const written = changes.filter((change) => change.kind !== 'delete');
    const sizeBytes = written.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (sizeBytes > contentLimitBytes) {
        throw new errors/* GitHubError */.y_(`Cannot commit on ${about.on}: ${sizeBytes} bytes of files, GitHub takes ${contentLimitBytes} in one commit`, {
            failure: 'refused',
            operation: about.operation,
            hint: 'run `openapi-pages update` and push its result',
        });
    }
    const input = {
        branch: { repositoryNameWithOwner: name, branchName: branch },
        expectedHeadOid: expectedHeadSha,
        message: { headline, ...(body === undefined ? {} : { body }) },
        fileChanges: {
            additions: written.map(({ path, content }) => ({ path, contents: Buffer.from(content).toString('base64') })),
            deletions: changes.filter(({ kind }) => kind === 'delete').map(({ path }) => ({ path })),
        },
    };
    try {
        // Sent twice it is done once: the second time the branch is elsewhere.
        const answer = await (0,call_github/* callGitHub */.ur)(about, () => client.graphql(commitMutation, { input, request: pace_requests/* repeatable */.E }));
        const made = answer.createCommitOnBranch?.commit;
        if (!made)
            throw (0,call_github/* toGitHubError */.Lg)(new Error('GitHub answered without a commit'), about);
        return { kind: 'committed', sha: made.oid, url: made.url, isVerified: made.signature?.isValid ?? false };
    }
    catch (error) {
        // With a status of its own it is another conflict than that of a branch that moved, which GraphQL answers.
        if (!(error instanceof errors/* GitHubError */.y_ && error.failure === 'conflict' && error.status === 200))
            throw error;
        return (await findOwnCommit(client, repository, commit)) ?? { kind: 'stale' };
    }
}
/** The branch may have moved because the request was done although its answer was lost: then its newest commit is this one. */
async function findOwnCommit(client, repository, { branch, expectedHeadSha, headline, body }) {
    const about = { operation: 'read commit', on: (0,call_github/* nameRepository */.KL)(repository), permission: 'contents: read' };
    const { data } = await (0,call_github/* callGitHub */.ur)(about, () => client.rest.repos.getCommit({ ...repository, ref: `heads/${branch}`, per_page: 1 }));
    const message = body ? `${headline}\n\n${body}` : headline;
    const isOwn = data.parents.length === 1 && data.parents[0]?.sha === expectedHeadSha && data.commit.message === message;
    if (!isOwn)
        return undefined;
    return { kind: 'committed', sha: data.sha, url: data.html_url, isVerified: data.commit.verification?.verified ?? false };
}

// EXTERNAL MODULE: ./build/js/github/create-branch.js
var create_branch = __webpack_require__(1907);
;// CONCATENATED MODULE: ./build/js/github/split-changes.js
/** Splits changes into parts within limits, in their order, as few as that takes. A file over the limit is a part of its own. */
function splitChanges(changes, limits) {
    const parts = [];
    let current = [];
    let currentBytes = 0;
    for (const change of changes) {
        const bytes = change.kind === 'delete' ? 0 : Buffer.byteLength(change.content);
        if (current.length > 0 && (current.length >= limits.files || currentBytes + bytes > limits.bytes)) {
            parts.push(current);
            current = [];
            currentBytes = 0;
        }
        current.push(change);
        currentBytes += bytes;
    }
    if (current.length > 0)
        parts.push(current);
    return parts;
}

// EXTERNAL MODULE: ./build/js/github/update-branches.js
var update_branches = __webpack_require__(5804);
;// CONCATENATED MODULE: ./build/js/github/commit-changes.js





/** GitHub takes about 40 MB in one request, contents in base64, and names no number of files; 200 is what others have found to hold. */
const defaultLimits = { files: 200, bytes: 20_000_000 };
/**
 * Commits changes to a branch so that it goes from what it was to all of them at once, signed by GitHub.
 *
 * Where one request holds them and the branch is at `baseSha`, that is one commit. Else they are committed in parts on a temporary
 * branch, and one atomic update moves the branch and takes the temporary one away; whatever happens, it does not stay.
 *
 * @throws {GitHubError} `protected` where a rule of the branch refuses it, `forbidden` without `contents: write`.
 */
async function commitChanges(client, repository, options) {
    const { branch, expectedSha, baseSha, headline, body, changes } = options;
    const parts = splitChanges(changes, { ...defaultLimits, ...options.limits });
    if (parts.length === 1 && expectedSha === baseSha) {
        return commitOnBranch(client, repository, { branch, expectedHeadSha: baseSha, headline, body, changes });
    }
    const { temporaryBranch } = options;
    await (0,create_branch/* createBranch */.lY)(client, repository, temporaryBranch, baseSha);
    let isGone = false;
    try {
        const made = await commitParts(client, repository, options, parts);
        const isMoved = await (0,update_branches/* moveBranches */.K)(client, repository, [
            { branch, from: expectedSha, to: made.sha, isOurs: expectedSha !== baseSha },
            { branch: temporaryBranch, from: made.sha, to: undefined, isOurs: true },
        ]);
        isGone = isMoved;
        return isMoved ? made : { kind: 'stale' };
    }
    finally {
        if (!isGone)
            await (0,create_branch/* deleteBranch */.SN)(client, repository, temporaryBranch).catch(() => undefined);
    }
}
async function commitParts(client, repository, { temporaryBranch, baseSha, headline, body, partTrailer }, parts) {
    let sha = baseSha;
    let url = '';
    let isVerified = true;
    for (const [index, changes] of parts.entries()) {
        const count = `${index + 1}/${parts.length}`;
        const isLast = index === parts.length - 1;
        const result = await commitOnBranch(client, repository, {
            branch: temporaryBranch,
            expectedHeadSha: sha,
            headline: parts.length === 1 ? headline : `${headline} (${count})`,
            body: isLast ? body : `The last of these ${parts.length} commits completes the update.\n\n${partTrailer}: ${count}`,
            changes,
        });
        if (result.kind === 'stale') {
            throw new errors/* GitHubError */.y_(`Cannot commit on \`${repository.owner}/${repository.repo}\`: somebody moved \`${temporaryBranch}\``, {
                failure: 'conflict',
                operation: 'commit',
                hint: 'that branch is made for a moment, by this run and for it alone: run again',
            });
        }
        sha = result.sha;
        url = result.url;
        isVerified &&= result.isVerified;
    }
    return { kind: 'committed', sha, url, isVerified };
}

// EXTERNAL MODULE: ./build/js/action/inputs.js + 1 modules
var inputs = __webpack_require__(3818);
// EXTERNAL MODULE: ./build/js/action/delivery/own-branches.js
var own_branches = __webpack_require__(9555);
// EXTERNAL MODULE: ./build/js/action/delivery/source-hash.js
var source_hash = __webpack_require__(9174);
// EXTERNAL MODULE: ./build/js/action/delivery/trailers.js
var trailers = __webpack_require__(640);
;// CONCATENATED MODULE: ./build/js/action/delivery/publish-by-api.js







/**
 * Brings commits to a branch through the API of GitHub, which signs them: the commit of the work tree is made again there, from the same
 * files, and the work tree moves to it. It is by whoever the token is; another committer that was asked for is named as co-author.
 */
function createPublishByApi({ open, repository }, { runName }, committer) {
    const coAuthors = committer.name === inputs/* botName */.h ? [] : [['Co-authored-by', `${committer.name} <${committer.email}>`]];
    return async (git, commit, { remote, branch, expectedSha }) => {
        const changes = await readCommitChanges(git, commit);
        const message = coAuthors.length === 0 ? commit.message : (0,trailers/* addTrailers */.G)(commit.message, coAuthors);
        const end = message.indexOf('\n');
        const result = await commitChanges(await open(), repository, {
            branch,
            expectedSha,
            baseSha: commit.baseSha,
            headline: end === -1 ? message : message.slice(0, end),
            body: end === -1 ? '' : message.slice(end).trim(),
            partTrailer: source_hash/* partTrailer */.v8,
            changes,
            temporaryBranch: `${own_branches/* temporaryPrefix */.wd}${runName}-${(0,external_node_crypto_.randomBytes)(4).toString('hex')}`,
        });
        if (result.kind === 'stale')
            return undefined;
        // The trees are the same; only the id of the commit is another. What cannot be fetched now leaves the work tree at ours.
        const shallow = await git.run(['rev-parse', '--is-shallow-repository']);
        const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : [];
        const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, result.sha];
        const fetched = await git.run(fetchArgs, { environment: remote.environment });
        if (fetched.code === 0)
            await git.run(['reset', '--keep', 'FETCH_HEAD']);
        return result.sha;
    };
}


/***/ })

};
